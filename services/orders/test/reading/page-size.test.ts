import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openDatabase } from '@pto/database';
import { createTelemetry } from '@pto/telemetry';
import { Client } from 'pg';
import { cachedLocations } from '../../src/locations/locations.ts';
import { anyItems } from '../../src/reading/get-order.ts';
import { batchItemsMax, batchReaders } from '../../src/reading/page-batches.ts';
import {
  anOrder,
  bodyOf,
  type OrdersUnderTest,
  ordersOf,
  type ShownOrder,
  startOrdersService,
} from '../orders-service.ts';

const mebibyte = 1024 * 1024;
/** As many as a body of 256 KiB holds. */
const itemsMax = 13_500;
/** `HEAVY_ORDERS=100` is the finding's own number. */
const heavyOrders = Number(process.env.HEAVY_ORDERS ?? 30);

let under: OrdersUnderTest;
beforeAll(async () => {
  under = await startOrdersService();
});
afterAll(() => under.stop());

const make = async (organizationId: string, itemCount: number): Promise<string> => {
  const goodsTypes = Array<string>(itemCount).fill('b');
  return bodyOf(await under.orders.createOrder(anOrder({ organizationId, goodsTypes }))).id;
};

const traverse = async (organizationId: string, filters: object): Promise<ShownOrder[][]> => {
  const pages: ShownOrder[][] = [];
  for (let cursor: string | undefined; ; ) {
    const page: Awaited<ReturnType<typeof under.orders.listOrders>> = await under.orders.listOrders(
      { organizationId, limit: 100, ...filters, ...(cursor !== undefined && { cursor }) },
    );
    pages.push(ordersOf(page));
    cursor = page.nextCursor;
    if (cursor === undefined) return pages;
  }
};

const bodyBytes = (orders: readonly ShownOrder[]): number =>
  Buffer.byteLength(JSON.stringify({ data: orders, next_cursor: 'x'.repeat(200) }));

/** Makes an order and copies of it, each newer than the one before. @returns ids, newest first. */
const makeCopies = async (organizationId: string, copies: number): Promise<string[]> => {
  const id = await make(organizationId, itemsMax);
  const admin = new Client({ connectionString: under.database.superuserUrl });
  await admin.connect();
  await admin.query(
    `insert into orders (id, organization_id, status, sla, source, pickup_location_id,
       dropoff_location_id, pickup_window_start, items, item_count, created_at, updated_at)
     select gen_random_uuid(), organization_id, status, sla, source, pickup_location_id,
       dropoff_location_id, pickup_window_start, items, item_count,
       created_at + n * interval '1 second', updated_at + n * interval '1 second'
     from orders, generate_series(1, $2::int) n where id = $1`,
    [id, copies],
  );
  const { rows } = await admin.query<{ id: string }>(
    'select id from orders where organization_id = $1 order by created_at desc',
    [organizationId],
  );
  await admin.end();
  return rows.map((row) => row.id);
};

test('heavy orders come once each, in pages of at most 1 MiB', async () => {
  const organizationId = randomUUID();
  const ids = await makeCopies(organizationId, heavyOrders - 1);
  const newer = ids.slice(0, heavyOrders / 2);
  const half = bodyOf(await under.orders.getOrder({ organizationId, id: newer.at(-1)! }));
  for (const updatedSince of [undefined, half.created_at]) {
    const pages = await traverse(
      organizationId,
      updatedSince === undefined ? {} : { updatedSince },
    );
    expect(pages.flat().map(({ id }) => id)).toEqual(
      updatedSince === half.created_at ? newer : ids,
    );
    expect(Math.max(...pages.map(bodyBytes))).toBeLessThanOrEqual(mebibyte);
    expect(pages.slice(0, -1).filter((page) => page.length < 2)).toEqual([]);
  }
}, 200_000);

test('an order larger than 1 MiB is a page of its own', async () => {
  const organizationId = randomUUID();
  const ids = [await make(organizationId, 1), await make(organizationId, itemsMax)];
  const id = ids[1]!;
  ids.push(await make(organizationId, 1));
  const circumstances = { orderId: id };
  await under.commands.assignOrder({ circumstances, transportOrganization: 'T' });
  await under.commands.acceptOrder({ circumstances });
  await under.commands.assignDriver({ circumstances, driver: 'D' });
  await under.commands.startPickup({ circumstances });
  const sealIds = Array.from({ length: itemsMax }, (_, n) => `${n}`.padStart(70, 's'));
  await under.commands.sealOrder({ circumstances, sealIds });
  const pages = await traverse(organizationId, {});
  expect(pages.map((page) => page.map((order) => order.id))).toEqual(
    ids.toReversed().map((one) => [one]),
  );
  expect(bodyBytes(pages[1]!)).toBeGreaterThan(mebibyte);
}, 60_000);

test('orders with few items come in one page of the limit', async () => {
  const organizationId = randomUUID();
  for (let n = 0; n < 12; n++) await make(organizationId, n);
  const page = await under.orders.listOrders({ organizationId, limit: 11 });
  const { nextCursor } = page;
  expect(ordersOf(page).map(({ items }) => items.length)).toEqual([
    11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1,
  ]);
  expect(nextCursor).toBeDefined();
  const rest = await under.orders.listOrders({ organizationId, limit: 11, cursor: nextCursor! });
  expect([rest.bodies.length, rest.nextCursor]).toEqual([1, undefined]);
});

test('one statement reads few items, or one order', async () => {
  const organizationId = randomUUID();
  const counts = [itemsMax, itemsMax, 0, batchItemsMax / 2, batchItemsMax / 2, 1];
  for (const count of counts.toReversed()) await make(organizationId, count);
  const telemetry = createTelemetry({ service: 'test', write: () => {} });
  const db = await openDatabase({
    url: under.database.serviceUrl,
    poolMax: 1,
    statementTimeoutMs: 5000,
    lockTimeoutMs: 5000,
    telemetry,
  });
  const source = { sql: db, findLocations: cachedLocations() };
  try {
    const read: number[][] = [];
    for (
      let [hasMore, after] = [true, undefined as undefined | { createdAt: string; id: string }];
      hasMore;
    ) {
      const [readBatch] = batchReaders({ organizationId });
      const batch = await readBatch!(source, after, 101, anyItems);
      read.push(batch.found.map(({ itemsJson }) => JSON.parse(itemsJson).length));
      hasMore = batch.hasMore;
      const last = batch.found.at(-1)!;
      after = { createdAt: last.createdAtMicros, id: last.order.id };
    }
    expect(read).toEqual([[itemsMax], [itemsMax], [0, batchItemsMax / 2, batchItemsMax / 2], [1]]);
  } finally {
    await db.close();
  }
});
