import { expect, test } from '@jest/globals';
import {
  BeyondFeedError,
  ConnectionFailedError,
  type FollowOptions,
  TransportOrdersError,
  ValidationError,
} from '../src/index.ts';
import { cut, error, json, type Reply, startServer } from './a-server.ts';

const page = (...numbers: number[]): Reply =>
  json(200, {
    data: numbers.map((number) => ({ number })),
    next_after: numbers.at(-1) ?? 0,
    has_more: false,
    as_of: '2026-03-02T08:00:00.000Z',
    checkpoint: null,
  });

type Server = Awaited<ReturnType<typeof startServer>>;

/** The numbers of the first events that the iteration gives. */
const follow = async (server: Server, most: number, options?: FollowOptions) => {
  const numbers: number[] = [];
  for await (const { number } of server.client().followEvents(options))
    if (numbers.push(number) === most) break;
  return numbers;
};
const afters = ({ seen }: Server) =>
  seen.map(({ url }) => new URL(url!, 'http://x').searchParams.get('after'));

test('follows page after page from the stored number, and asks to wait', async () => {
  await using server = await startServer(page(8, 9), page(10), page(11));
  expect(await follow(server, 4, { after: 7 })).toEqual([8, 9, 10, 11]);
  expect(afters(server)).toEqual(['7', '9', '10']);
  expect(new URL(server.seen[0]!.url!, 'http://x').searchParams.get('wait')).toBe('25');
});

test('sends the feed of the stored number with each page', async () => {
  await using server = await startServer(page(8), page(9));
  expect(await follow(server, 2, { after: 7, feed: 'f00' })).toEqual([8, 9]);
  expect(server.seen.map(({ url }) => new URL(url!, 'http://x').searchParams.get('feed'))).toEqual([
    'f00',
    'f00',
  ]);
});

test('continues at its position after errors of the service and broken connections', async () => {
  const away = error(503, 'SERVICE_UNAVAILABLE', { 'retry-after': '0' });
  await using server = await startServer(page(1, 2), cut, away, page(3), cut, page(4));
  expect(await follow(server, 4)).toEqual([1, 2, 3, 4]);
  expect(afters(server)).toEqual(['0', '2', '2', '2', '3', '3']);
});

test('ends with the error of a call that fails for good, and a new iteration resumes', async () => {
  await using server = await startServer(page(1, 2), cut, page(3));
  const numbers: number[] = [];
  const all = async (after: number) => {
    const events = server.client().followEvents({ after, attemptsMax: 1 });
    for await (const { number } of events) if (numbers.push(number) === 3) break;
  };
  await expect(all(0)).rejects.toThrow(ConnectionFailedError);
  await all(numbers.at(-1)!);
  expect(numbers).toEqual([1, 2, 3]);
});

test('pauses for a second after an empty page that comes early', async () => {
  await using server = await startServer(page(), page(1));
  expect(await follow(server, 1)).toEqual([1]);
  const [first, second] = server.seen;
  expect(second!.at - first!.at).toBeGreaterThan(990);
});

const invalid = (loc: string[], ctx: object) =>
  json(422, { detail: [{ loc, msg: 'beyond the feed', type: 'x', ctx }] });

test('a position beyond the feed is an error at once, with the newest number', async () => {
  await using server = await startServer(invalid(['query', 'after'], { newest: 5 }), page(1));
  for (const read of [() => follow(server, 1, { after: 9 }), () => server.client().listEvents()]) {
    server.seen.length = 0;
    const found = await read().catch((thrown: unknown) => thrown);
    expect(found).toBeInstanceOf(ValidationError);
    expect(found).toBeInstanceOf(BeyondFeedError);
    expect(found).toMatchObject({
      ...{ newest: 5, code: 'VALIDATION', status: 422 },
      message: expect.stringContaining('begin after 0 for all events, or after 5'),
    });
    expect(server.seen).toHaveLength(1);
  }
});

test.each([
  [['query', 'after'], { ge: 0 }],
  [['query', 'after'], { le: 9_007_199_254_740_991 }],
  [['query', 'limit'], { newest: 5 }],
])('another error of %j with %j is not one of the position', async (loc, ctx) => {
  await using server = await startServer(invalid(loc, ctx));
  const found = await follow(server, 1).catch((thrown: unknown) => thrown);
  expect(found).toMatchObject({ name: 'ValidationError' });
});

test('a gap, or an event that comes twice, is an error', async () => {
  for (const numbers of [[1, 3], [2], [1, 1]]) {
    await using server = await startServer(page(...numbers));
    const failed = follow(server, 3);
    await expect(failed).rejects.toThrow(TransportOrdersError);
  }
});

test('a signal ends the iteration, also while the request waits', async () => {
  const ended = new AbortController();
  await using server = await startServer(page(1), () => ended.abort(new Error('enough')));
  await expect(follow(server, 2, { signal: ended.signal })).rejects.toThrow('enough');
});
