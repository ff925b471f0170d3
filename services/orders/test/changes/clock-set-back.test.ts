import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { until } from '@pto/testing';
import { Client } from 'pg';
import {
  anOrder,
  bodyOf,
  type OrdersUnderTest,
  ordersOf,
  startOrdersService,
} from '../orders-service.ts';

let under: OrdersUnderTest;
let owner: Client;
beforeAll(async () => {
  under = await startOrdersService();
  owner = new Client({ connectionString: under.database.ownerUrl });
  await owner.connect();
});
afterEach(() => setClock(0));
afterAll(async () => {
  await owner.end();
  await under.stop();
});

/** As after a failover to a server whose clock differs by that many seconds. */
const setClock = async (seconds: number): Promise<void> => {
  await owner.query(`create or replace function order_clock() returns timestamptz
    language sql volatile as 'select clock_timestamp() + interval ''${seconds} s'''`);
};

const create = async (organizationId: string) =>
  bodyOf(await under.orders.createOrder(anOrder({ organizationId })));

const poll = async (organizationId: string, updatedSince: string) => {
  const page = await under.orders.listOrders({ organizationId, limit: 100, updatedSince });
  const orders = ordersOf(page);
  return { asOf: page.asOf, orders, ids: orders.map(({ id }) => id).toSorted() };
};

const longAgo = '2026-01-01T00:00:00.000Z';

test('a poll from as_of shows a creation and a cancellation after the clock was set back', async () => {
  const organizationId = randomUUID();
  const before = await create(organizationId);
  const { asOf } = await poll(organizationId, longAgo);
  await setClock(-10);
  const created = await create(organizationId);
  await under.orders.cancelOrder({ organizationId, id: before.id, reason: 'Not needed.' });
  const { ids, orders, asOf: next } = await poll(organizationId, asOf!);
  expect(ids).toEqual([before.id, created.id].toSorted());
  expect(orders.every((order) => order.updated_at >= asOf!)).toBe(true);
  expect(next! >= asOf!).toBe(true);
});

test('a poll from the latest updated_at shows the changes after the clock was set back', async () => {
  const organizationId = randomUUID();
  await create(organizationId);
  await setClock(-10); // no poll since the first change
  await create(organizationId);
  const { orders } = await poll(organizationId, longAgo);
  const latest = orders
    .map((order) => order.updated_at)
    .toSorted()
    .at(-1)!;
  const third = await create(organizationId);
  expect((await poll(organizationId, latest)).ids).toContain(third.id);
});

test('the updated_at of an order never decreases', async () => {
  const { id } = await create(randomUUID());
  const circumstances = { orderId: id };
  await under.commands.assignOrder({ circumstances, transportOrganization: 'Any' });
  const updatedAt = async (): Promise<string> =>
    (await owner.query('select updated_at::text as at from orders where id = $1', [id])).rows[0].at;
  const before = await updatedAt();
  await setClock(-10);
  await under.commands.acceptOrder({ circumstances });
  expect(await updatedAt()).toBe(before);
});

test('a change that has waited for a poll gets a time after the moment of the poll', async () => {
  const organizationId = randomUUID();
  await create(organizationId);
  const client = new Client({ connectionString: under.database.serviceUrl });
  await client.connect();
  // a poll that is under way: it holds the lock, and has not stored its moment yet
  await client.query('begin');
  await client.query('select pg_advisory_xact_lock(14, hashtext($1::uuid::text))', [
    organizationId,
  ]);
  const creation = create(organizationId);
  await until(
    async () =>
      (
        await owner.query(
          `select from pg_locks where locktype = 'advisory' and classid = 14 and not granted`,
        )
      ).rowCount === 1,
    { what: 'the creation to wait' },
  );
  const ahead = '2099-01-01T00:00:00.000Z';
  await client.query(
    `insert into poll_moments values ($1, $2)
     on conflict (organization_id) do update set at = excluded.at`,
    [organizationId, ahead],
  );
  await client.query('commit');
  await client.end();
  expect((await creation).updated_at).toBe(ahead);
});
