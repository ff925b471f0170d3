import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { uuidv7 } from '@pto/database';
import { testDatabase } from '@pto/testing';
import { anOrder, type OrdersUnderTest, ordersOf, startOrdersService } from '../orders-service.ts';

let under: OrdersUnderTest;
const organizationId = uuidv7();
beforeAll(async () => {
  const database = await testDatabase('orders');
  // a server that is no replica: each read that a replica might serve is counted as late
  const environment = { DATABASE_REPLICA_URL: database.serviceUrl };
  under = await startOrdersService({ database, environment });
  for (let n = 0; n < 2; n++) await under.orders.createOrder(anOrder({ organizationId }));
});
afterAll(() => under?.stop());

/** Returns how many reads that a replica may serve the work made. */
const offered = async (work: () => Promise<unknown>): Promise<number> => {
  const count = async () => {
    const metric = under.telemetry.metrics.getSingleMetric('database_fresh_reads_total')!;
    return (await metric.get()).values.reduce((sum, { value }) => sum + value, 0);
  };
  const before = await count();
  await work();
  return (await count()) - before;
};

test('lists of orders and locations may be read by a replica', async () => {
  const first = await under.orders.listOrders({ organizationId, limit: 1 });
  expect(ordersOf(first)).toHaveLength(1);
  const { nextCursor: cursor } = first;
  expect(await offered(() => under.orders.listOrders({ organizationId, limit: 1 }))).toBe(1);
  expect(
    await offered(() => under.orders.listOrders({ organizationId, limit: 1, cursor: cursor! })),
  ).toBe(1);
  expect(await offered(() => under.locations.listLocations({ organizationId }))).toBe(1);
});

test('the first page of a list by updated_since is read by the primary, under its lock', async () => {
  const updatedSince = '2020-01-01T00:00:00.000Z';
  expect(
    await offered(() => under.orders.listOrders({ organizationId, limit: 1, updatedSince })),
  ).toBe(0);
});
