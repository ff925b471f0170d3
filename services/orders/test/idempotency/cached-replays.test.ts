import { randomUUID } from 'node:crypto';
import { create } from '@bufbuild/protobuf';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Sql } from '@pto/database';
import { IdempotencySchema } from '@pto/proto/orders/v1/orders';
import { sharedFindReplay } from '../../src/idempotency.ts';
import {
  anOrder,
  asOwner,
  bodyOf,
  keyed,
  type OrdersUnderTest,
  startOrdersService,
} from '../orders-service.ts';

let under: OrdersUnderTest;
beforeAll(async () => {
  under = await startOrdersService();
});
afterAll(() => under.stop());

/** Creates an order and replays it, so that the replica has read the stored response. */
const replayedOnce = async (request: ReturnType<typeof anOrder>) => {
  const first = await under.orders.createOrder(request);
  expect((await under.orders.createOrder(request)).replayed).toBe(true);
  return first;
};

test('a replica that has replayed a response replays it without the database', async () => {
  const request = anOrder(keyed('k'));
  const first = await replayedOnce(request);
  await asOwner(under.database, (owner) => owner.query('delete from idempotency'));
  const again = await under.orders.createOrder(request);
  expect([again.replayed, Buffer.from(again.body)]).toEqual([true, Buffer.from(first.body)]);
});

test('a cached response is compared with the body, and belongs to its organization', async () => {
  const request = anOrder(keyed('k'));
  const first = await replayedOnce(request);
  await expect(under.orders.createOrder({ ...request, ...keyed('k', 2) })).rejects.toMatchObject({
    kind: 'IDEMPOTENCY_KEY_REUSED',
  });
  const other = await under.orders.createOrder(anOrder(keyed('k')));
  expect([other.replayed, bodyOf(other).id === bodyOf(first).id]).toEqual([false, false]);
});

test('large responses are cached up to 4 MiB, the latest ones', async () => {
  let reads = 0;
  const sql: Sql = {
    query: async <Row>() => {
      reads++;
      const kept = { body_sha256: Buffer.alloc(32, 1), response: Buffer.alloc(1_000_000) };
      return [{ place: 1, lasts: true, ...kept }] as Row[];
    },
  };
  const find = sharedFindReplay(sql, 86_400_000);
  const scope = (key: string) => ({
    organizationId: randomUUID(),
    idempotency: create(IdempotencySchema, keyed(key).idempotency),
    keepMs: 0,
  });
  const scopes = ['a', 'b', 'c', 'd', 'e'].map(scope);
  for (const each of scopes) await find(each);
  const readAgain = async (each: (typeof scopes)[number]) => {
    const before = reads;
    await find(each);
    return reads > before;
  };
  expect(await readAgain(scopes[4]!)).toBe(false);
  expect(await readAgain(scopes[0]!)).toBe(true);
});
