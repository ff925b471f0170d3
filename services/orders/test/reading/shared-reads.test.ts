import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Database, openDatabase, type Sql } from '@pto/database';
import { createTelemetry } from '@pto/telemetry';
import { cachedLocations } from '../../src/locations/locations.ts';
import { sharedGetOrder } from '../../src/reading/get-order.ts';
import { anOrder, bodyOf, type OrdersUnderTest, startOrdersService } from '../orders-service.ts';

let under: OrdersUnderTest;
let db: Database;
beforeAll(async () => {
  under = await startOrdersService();
  db = await openDatabase({
    url: under.database.serviceUrl,
    poolMax: 4,
    statementTimeoutMs: 5000,
    lockTimeoutMs: 1000,
    telemetry: createTelemetry({ service: 'test', write: () => {} }),
  });
});
afterAll(async () => {
  await db.close();
  await under.stop();
});

const make = async (organizationId: string, items = 1): Promise<string> => {
  const goodsTypes = Array<string>(items).fill('blood');
  return bodyOf(await under.orders.createOrder(anOrder({ organizationId, goodsTypes }))).id;
};

/** Reads, the statements that read orders, and those that read locations. */
const counting = () => {
  const texts: string[] = [];
  const locationTexts: string[] = [];
  const sql: Sql = {
    query: (text, parameters) => {
      (text.includes('join "locations" as "l"') ? locationTexts : texts).push(text);
      return db.query(text, parameters);
    },
  };
  const source = { sql, findLocations: cachedLocations() };
  return { get: sharedGetOrder(source), texts, locationTexts };
};

test('orders that are read at one moment share a statement', async () => {
  const organizationId = randomUUID();
  const ids = await Promise.all(Array.from({ length: 20 }, () => make(organizationId)));
  const { get, texts, locationTexts } = counting();
  const read = await Promise.all(
    [...ids, ...ids].map((id) => get({ organizationId: organizationId, orderId: id })),
  );
  expect(read.map(({ order }) => order.id)).toEqual([...ids, ...ids]);
  expect([texts.length, locationTexts.length]).toEqual([1, 1]);
  await Promise.all(ids.map((id) => get({ organizationId: organizationId, orderId: id })));
  expect([texts.length, locationTexts.length]).toEqual([2, 1]);
});

test("another organization's order is not found, though its owner reads it at that moment", async () => {
  const [owner, other] = [randomUUID(), randomUUID()];
  const id = await make(owner);
  const { get, texts } = counting();
  const results = await Promise.allSettled([
    get({ organizationId: owner, orderId: id }),
    get({ organizationId: other, orderId: id }),
    get({ organizationId: owner, orderId: randomUUID() }),
  ]);
  expect(results).toMatchObject([
    { value: { order: { id } } },
    { reason: { kind: 'NOT_FOUND' } },
    { reason: { kind: 'NOT_FOUND' } },
  ]);
  expect(texts).toHaveLength(3); // those that are not found are looked for once more, alone
});

test('an order with many items has a statement of its own', async () => {
  const organizationId = randomUUID();
  const [small, large] = [await make(organizationId), await make(organizationId, 101)];
  const { get, texts } = counting();
  const [first, second] = await Promise.all([
    get({ organizationId: organizationId, orderId: small }),
    get({ organizationId: organizationId, orderId: large }),
  ]);
  expect(JSON.parse(first.itemsJson)).toHaveLength(1);
  expect(JSON.parse(second.itemsJson)).toHaveLength(101);
  expect(texts).toHaveLength(2);
});

test('an id that is no UUID fails its own read alone', async () => {
  const organizationId = randomUUID();
  const id = await make(organizationId);
  const results = await Promise.allSettled([
    under.orders.getOrder({ organizationId, id }),
    under.orders.getOrder({ organizationId, id: 'nothing' }),
  ]);
  expect(results).toMatchObject([
    { value: { body: expect.anything() } },
    { reason: { kind: 'VALIDATION' } },
  ]);
});
