import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client } from 'pg';
import {
  anOrder,
  bodyOf,
  type OrdersUnderTest,
  ordersOf,
  type ShownOrder,
  startOrdersService,
} from '../orders-service.ts';

let under: OrdersUnderTest;
let admin: Client;
beforeAll(async () => {
  under = await startOrdersService();
  admin = new Client({ connectionString: under.database.ownerUrl });
  await admin.connect();
  // every change is committed a while after it got its time, and rarely in the order of the times
  await admin.query(`
    create function commit_late() returns trigger language plpgsql as $$
      begin perform pg_sleep(random() * 0.05); return null; end $$;
    create trigger commit_late after insert or update of updated_at on orders
      for each row execute function commit_late()`);
});
afterAll(async () => {
  await admin.end();
  await under.stop();
});

const orderCount = 60;

/** Creates orders and changes each twice, six at a time. */
const changeMany = async (organizationId: string): Promise<void> => {
  let next = 0;
  const lane = async () => {
    while (next++ < orderCount) {
      const { id } = bodyOf(await under.orders.createOrder(anOrder({ organizationId })));
      const circumstances = { orderId: id };
      await under.commands.assignOrder({ circumstances, transportOrganization: 'Any' });
      await under.commands.acceptOrder({ circumstances });
    }
  };
  await Promise.all(Array.from({ length: 6 }, lane));
};

const allOf = async (organizationId: string): Promise<Map<string, ShownOrder>> => {
  const page = await under.orders.listOrders({ organizationId, limit: 100 });
  return new Map(ordersOf(page).map((order) => [order.id, order]));
};

test('a poll from the latest updated_at misses no change, however late it commits', async () => {
  const organizationId = randomUUID();
  const seen = new Map<string, ShownOrder>();
  let since = '2026-01-01T00:00:00.000Z';
  const poll = async () => {
    const page = await under.orders.listOrders({ organizationId, limit: 100, updatedSince: since });
    for (const order of ordersOf(page)) {
      seen.set(order.id, order);
      if (order.updated_at > since) since = order.updated_at;
    }
  };
  let changing = true;
  const changes = changeMany(organizationId).finally(() => {
    changing = false;
  });
  while (changing) await poll();
  await changes;
  await poll();
  expect(seen).toEqual(await allOf(organizationId));
  expect(seen.size).toBe(orderCount);
}, 120_000);

test('a traversal that continues from as_of misses no change, also of pages it has passed', async () => {
  const organizationId = randomUUID();
  const seen = new Map<string, ShownOrder>();
  let since = '2026-01-01T00:00:00.000Z';
  const walk = async () => {
    let asOf: string | undefined;
    for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
      const page: Awaited<ReturnType<typeof under.orders.listOrders>> =
        await under.orders.listOrders({
          ...{ organizationId, limit: 3, updatedSince: since },
          ...(cursor !== undefined && { cursor }),
        });
      asOf ??= page.asOf;
      cursor = page.nextCursor;
      for (const order of ordersOf(page)) seen.set(order.id, order);
    }
    since = asOf!;
  };
  let changing = true;
  const changes = changeMany(organizationId).finally(() => {
    changing = false;
  });
  while (changing) await walk();
  await changes;
  await walk();
  const last = await allOf(organizationId);
  expect([...seen.keys()].toSorted()).toEqual([...last.keys()].toSorted());
  // a page that was read before a change shows the order as it was: the next walk shows the change
  await walk();
  for (const [id, order] of last) expect(seen.get(id)).toEqual(order);
}, 120_000);
