import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  anOrder,
  asOwner,
  bodyOf,
  charite,
  type OrdersUnderTest,
  startOrdersService,
} from '../orders-service.ts';

let under: OrdersUnderTest;
beforeAll(async () => {
  under = await startOrdersService();
});
afterAll(() => under.stop());

/** An Idempotency-Key. @param body stands for the body: another one has another hash. */
const keyed = (idempotencyKey: string, body = 1) => ({
  idempotencyKey,
  bodySha256: Buffer.alloc(32, body),
});
const aLocation = (more: object) => ({ organizationId: randomUUID(), ...charite, ...more });
const text = (response: { body: Uint8Array }) => Buffer.from(response.body).toString();

test('the same key and body get the stored response byte for byte', async () => {
  const { locations, database } = under;
  const request = aLocation({ label: 'Ward 1', ...keyed('k-1') });
  const first = await locations.createLocation(request);
  const { id } = bodyOf(first);
  expect(bodyOf(first)).toMatchObject({ label: 'Ward 1', lat: expect.any(Number) });
  await asOwner(database, (owner) =>
    owner.query("update locations set label = 'renamed' where id = $1", [id]),
  );
  const second = await locations.createLocation(request);
  expect([first.replayed, second.replayed]).toEqual([false, true]);
  expect(text(second)).toBe(text(first));
  const other = await locations.createLocation({ ...request, idempotencyKey: 'k-2' });
  expect([other.replayed, bodyOf(other).label]).toEqual([false, 'renamed']);
});

test('the same key with another body is rejected', async () => {
  const request = aLocation(keyed('k-1'));
  await under.locations.createLocation(request);
  await expect(
    under.locations.createLocation({ ...request, ...keyed('k-1', 2) }),
  ).rejects.toMatchObject({ kind: 'IDEMPOTENCY_KEY_REUSED' });
});

test('the key of an order is another key', async () => {
  const request = aLocation(keyed('k-1'));
  const { organizationId } = request;
  const idempotency = { key: 'k-1', route: 'POST /orders', bodySha256: Buffer.alloc(32, 2) };
  await under.orders.createOrder(anOrder({ organizationId, idempotency }));
  expect(await under.locations.createLocation(request)).toMatchObject({ replayed: false });
});

test('of twenty concurrent requests with one key one is executed', async () => {
  const request = aLocation(keyed('k-1'));
  const responses = await Promise.all(
    Array.from({ length: 20 }, () => under.locations.createLocation(request)),
  );
  expect(responses.filter(({ replayed }) => !replayed)).toHaveLength(1);
  expect(new Set(responses.map(text)).size).toBe(1);
});

test('without a key each request is executed', async () => {
  const request = aLocation({});
  const first = await under.locations.createLocation(request);
  const second = await under.locations.createLocation(request);
  expect([first.replayed, second.replayed]).toEqual([false, false]);
  expect(text(second)).toBe(text(first));
});
