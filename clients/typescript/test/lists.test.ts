import { expect, test } from '@jest/globals';
import { type Changes, type Client, TransportOrdersError } from '../src/index.ts';
import { cut, error, json, startServer } from './a-server.ts';

const page = (ids: string[], next_cursor: string | null, as_of: string | null = null) =>
  json(200, { data: ids.map((id) => ({ id })), next_cursor, as_of });
const start = '2026-01-01T00:00:00.000Z';
const asOf = '2026-03-02T08:00:00.000Z';

const idsOf = async (changes: Changes, most = Infinity): Promise<string[]> => {
  const ids: string[] = [];
  for await (const { id } of changes) if (ids.push(id) >= most) break;
  return ids;
};

test('a list reads page after page with the same filters, when the iteration gets there', async () => {
  await using server = await startServer(page(['a', 'b'], 'c1'), page(['c'], null));
  const ids: string[] = [];
  for await (const { id } of server.client().orders.list({ status: 'SEALED', limit: 2 })) {
    if (ids.length === 0) expect(server.seen).toHaveLength(1);
    ids.push(id);
  }
  expect(ids).toEqual(['a', 'b', 'c']);
  expect(server.seen.map(({ url }) => new URL(url!, 'http://x').search)).toEqual([
    '?status=SEALED&limit=2',
    '?status=SEALED&limit=2&cursor=c1',
  ]);
});

test('the log of requests is a list of pages with its filters', async () => {
  await using server = await startServer(page(['a'], 'c1'), page(['b'], null));
  const ids: string[] = [];
  for await (const { id } of server.client().listRequests({ status: '4xx', method: 'POST' }))
    ids.push(id);
  expect(ids).toEqual(['a', 'b']);
  expect(server.seen.map(({ url }) => url!.slice(url!.lastIndexOf('/')))).toEqual([
    '/requests?status=4xx&method=POST',
    '/requests?status=4xx&method=POST&cursor=c1',
  ]);
});

test('the next poll begins at as_of of the first page, once all pages are read', async () => {
  await using server = await startServer(page(['a'], 'c1', asOf), page(['b'], null));
  const changes = server.client().orders.changes(new Date(start));
  expect(await idsOf(changes)).toEqual(['a', 'b']);
  expect(changes.nextUpdatedSince).toBe(asOf);
  expect(server.seen[0]!.url).toContain(`updated_since=${encodeURIComponent(start)}`);
});

test('a poll that ends early or fails is repeated from its start', async () => {
  await using server = await startServer(page(['a'], 'c1', asOf), cut);
  const { orders } = server.client({ limits: { attemptsMax: 1 } });
  const ended = orders.changes(start);
  expect(await idsOf(ended, 1)).toEqual(['a']);
  expect(ended.nextUpdatedSince).toBe(start);
  const failed = orders.changes(start);
  await expect(idsOf(failed)).rejects.toThrow();
  expect(failed.nextUpdatedSince).toBe(start);
});

test.each([
  ['the same cursor', ['c1', 'c1']],
  ['a cycle of cursors', ['c1', 'c2', 'c3', 'c1']],
])('a list ends with an error when the server repeats %s', async (_, cursors) => {
  const endpoint = '01900000-0000-7000-8000-000000000000';
  for (const listed of [
    (client: Client) => client.orders.list(),
    (client: Client) => client.orders.changes(start),
    (client: Client) => client.webhooks.deliveries.list(endpoint),
  ]) {
    const pages = cursors.map((cursor) => page(['a'], cursor));
    await using server = await startServer(...pages, error(500, 'INTERNAL'));
    const list = listed(server.client());
    const read = async () => {
      for await (const { id } of list) expect(id).toBe('a');
    };
    await expect(read()).rejects.toThrow(new TransportOrdersError(repeats));
    expect(server.seen).toHaveLength(cursors.length);
  }
});

const repeats = 'the list does not end: the server repeats next_cursor';
