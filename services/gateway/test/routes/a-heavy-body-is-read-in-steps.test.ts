/**
 * A body of 256 KiB is read in steps, so that requests of other organizations run between them
 * (decision 66). A step is one turn of the event loop; no test measures its time.
 */
import { expect, test } from '@jest/globals';
import { Failure } from '@pto/errors';
import type { Backends } from '../../src/backends.ts';
import { readRequest, readRequestInSteps } from '../../src/routes/read-request.ts';
import { routeTable } from '../../src/routes/table.ts';
import { call, partnerOf, startGatewayService } from '../gateway-service.ts';

/** As many as a body of 256 KiB holds. */
const itemsMax = 13_500;
const route = routeTable({} as Backends, 'sandbox').find(({ name }) => name === 'createOrder')!;

const orderOf = (items: unknown[]) => ({
  pickup: { address_text: 'Charitéplatz 1, 10117 Berlin' },
  dropoff: { address_text: 'Marienplatz 1, 80331 München' },
  pickup_window_start: '2030-01-01T08:00:00Z',
  items,
});
const items = (count: number): unknown[] =>
  Array.from({ length: count }, () => ({ goods_type: 'b' }));
const requestOf = (body: unknown) => ({
  path: {},
  search: '',
  headers: { 'idempotency-key': ['k'] },
  body: Buffer.from(JSON.stringify(body)),
});
const open = new AbortController().signal;

/** Counts how often other work has its turn before the work is done. */
const turnsDuring = async <T>(work: () => Promise<T>): Promise<[turns: number, result: T]> => {
  let turns = 0;
  const count = () => {
    turns++;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  const result = await work();
  clearImmediate(next);
  return [turns, result];
};

test('the largest order is parsed, validated and hashed in three turns of the event loop', async () => {
  const request = requestOf(orderOf(items(itemsMax)));
  const [turns, read] = await turnsDuring(() => readRequestInSteps(route, request, open));
  expect(turns).toBe(3);
  expect(read).toEqual(readRequest(route, request));
});

test('faults at the begin, in the middle and at the end are the same in steps', async () => {
  const places = [0, itemsMax / 2, itemsMax - 1];
  const faulty = items(itemsMax);
  for (const place of places) faulty[place] = { goods_type: '' };
  const request = requestOf({ ...orderOf(faulty), sla: 'SLOW' });
  const failureOf = (error: unknown) => JSON.stringify((error as Failure).details);
  const inSteps = await readRequestInSteps(route, request, open).catch(failureOf);
  let atOnce: string | undefined;
  try {
    readRequest(route, request);
  } catch (error) {
    expect(error).toBeInstanceOf(Failure);
    atOnce = failureOf(error);
  }
  expect(inSteps).toBe(atOnce);
  const { detail } = JSON.parse(atOnce!) as { detail: { type: string; loc: unknown[] }[] };
  expect(detail.map(({ type, loc }) => [type, loc.join('.')])).toEqual([
    ['enum', 'body.sla'],
    ...places.map((place) => ['string_too_short', `body.items.${place}.goods_type`]),
  ]);
});

test('no step begins after the connection was closed', async () => {
  const closing = new AbortController();
  const gone = new Error('gone');
  let validated = 0;
  const body = {
    ...route.schemas.body!,
    read: () => {
      validated++;
      return {};
    },
  };
  const request = requestOf(orderOf(items(itemsMax)));
  const reading = readRequestInSteps({ ...route, schemas: { body } }, request, closing.signal);
  closing.abort(gone);
  await expect(reading).rejects.toBe(gone);
  expect(validated).toBe(0);
});

test('the gateway reads heavy bodies in steps, and small ones at once', async () => {
  const under = await startGatewayService({
    redisUrl: '',
    behind: {
      orders: { createOrder: async () => ({ body: Buffer.from('{}'), replayed: false }) },
    },
  });
  const { parse } = JSON;
  const { isWellFormed } = String.prototype;
  try {
    const { key } = await partnerOf(under);
    /** Whether the event loop has turned between the parsing of a body and its first text. */
    const hasTurned = async (count: number): Promise<boolean | undefined> => {
      const body = JSON.stringify(orderOf(items(count)));
      let [isParsed, turned, seen] = [false, false, undefined as boolean | undefined];
      JSON.parse = (text, ...more) => {
        if (text === body) {
          isParsed = true;
          setImmediate(() => {
            turned = true;
          });
        }
        return parse(text, ...more);
      };
      String.prototype.isWellFormed = function () {
        if (isParsed) seen ??= turned;
        return isWellFormed.call(this);
      };
      const { status } = await call('POST', `${under.baseUrls[0]}/orders`, {
        key,
        body: parse(body),
      });
      expect(status).toBe(201);
      return seen;
    };
    expect(await hasTurned(itemsMax)).toBe(true);
    expect(await hasTurned(2)).toBe(false);
  } finally {
    JSON.parse = parse;
    String.prototype.isWellFormed = isWellFormed;
    await under.stop();
  }
});
