/**
 * While an upgrade runs, and after a roll-back, the version before reads and writes items as rows
 * of `order_items`. Its statements are spelled here as that version has them.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { anOrder, bodyOf, type OrdersUnderTest, startOrdersService } from '../orders-service.ts';

let under: OrdersUnderTest;
let before: Client;
beforeAll(async () => {
  under = await startOrdersService();
  before = new Client({ connectionString: under.database.serviceUrl });
  await before.connect();
});
afterAll(async () => {
  await before.end();
  await under.stop();
});

/** As the version before reads an order's items. */
const readBefore = async (orderId: string): Promise<unknown> => {
  const { rows } = await before.query<{ items: string; count: number; next: number | null }>(
    `select (select '[' || coalesce(string_agg('{"goods_type":' || to_json(i.goods_type) ||
        ',"seal_id":' || coalesce(to_json(i.seal_id)::text, 'null') || '}', ','
        order by i.position), '') || ']'
       from order_items i where i.order_id = o.id) as items,
       (select count(*)::int from order_items where order_id = o.id) as count,
       (select i.position + 1 from order_items i where i.order_id = o.id
        order by i.position desc limit 1) as next
     from orders o where o.id = $1`,
    [orderId],
  );
  const { items, count, next } = rows[0]!;
  const parsed = JSON.parse(items) as unknown[];
  expect([count, next ?? 0]).toEqual([parsed.length, parsed.length]);
  return parsed;
};

/** As the version before makes an order. The row beside the items is a copy of another's. */
const makeBefore = async (goodsTypes: readonly string[]) => {
  const organizationId = randomUUID();
  const { id: model } = bodyOf(await under.orders.createOrder(anOrder({ organizationId })));
  const id = randomUUID();
  await before.query(
    `insert into orders (id, organization_id, status, sla, source, pickup_location_id,
       dropoff_location_id, pickup_window_start, sequence)
     select $2, organization_id, status, sla, source, pickup_location_id, dropoff_location_id,
       pickup_window_start, 1 from orders where id = $1`,
    [model, id],
  );
  await before.query(
    `insert into order_items (order_id, position, goods_type)
     select $1, n - 1, goods_type
     from json_array_elements_text($2) with ordinality as g (goods_type, n)`,
    [id, JSON.stringify(goodsTypes)],
  );
  return { id, organizationId };
};

/** As the version before seals an order. */
const sealBefore = (orderId: string, sealIds: readonly string[]) =>
  before.query(
    `update order_items i set seal_id = s.seal_id
     from unnest($2::text[]) with ordinality as s (seal_id, n)
     where i.order_id = $1 and i.position = s.n - 1`,
    [orderId, sealIds],
  );

const toPickup = async (orderId: string) => {
  const circumstances = { orderId };
  await under.commands.assignOrder({ circumstances, transportOrganization: 'T' });
  await under.commands.acceptOrder({ circumstances });
  await under.commands.assignDriver({ circumstances, driver: 'D' });
  await under.commands.startPickup({ circumstances });
};

const odd = ['blood "A"', 'ä\\u\n', '{}'];
const seals = ['s-1', 's "2"', 's-3'];
const items = (sealIds: readonly (string | null)[]) =>
  odd.map((goods_type, n) => ({ goods_type, seal_id: sealIds[n] }));
const none = [null, null, null];

test('the version before reads and seals what this one made', async () => {
  const organizationId = randomUUID();
  const { id } = bodyOf(
    await under.orders.createOrder(anOrder({ organizationId, goodsTypes: odd })),
  );
  expect(await readBefore(id)).toEqual(items(none));
  await sealBefore(id, seals);
  expect(await readBefore(id)).toEqual(items(seals));
  const { order } = await under.orders.getOrder({ id, organizationId });
  expect(order!.items.map(({ goodsType, sealId }) => [goodsType, sealId])).toEqual(
    odd.map((goodsType, n) => [goodsType, seals[n]]),
  );
});

test('this version reads, lists and seals what the version before made', async () => {
  const { id, organizationId } = await makeBefore(odd);
  const pairs = (
    order: { items: { goodsType: string; sealId?: string | undefined }[] } | undefined,
  ) => order?.items.map(({ goodsType, sealId }) => [goodsType, sealId]);
  const unsealed = odd.map((goodsType) => [goodsType, undefined]);
  expect(pairs((await under.orders.getOrder({ id, organizationId })).order)).toEqual(unsealed);
  const { orders } = await under.orders.listOrders({ organizationId, limit: 5 });
  expect(pairs(orders.find((order) => order.id === id))).toEqual(unsealed);
  await toPickup(id);
  const { order } = await under.commands.sealOrder({
    circumstances: { orderId: id },
    sealIds: seals,
  });
  expect(pairs(order)).toEqual(odd.map((goodsType, n) => [goodsType, seals[n]]));
  expect(await readBefore(id)).toEqual(items(seals));
});

test('the version before seals what it made itself', async () => {
  const { id, organizationId } = await makeBefore(odd);
  await sealBefore(id, seals);
  expect(await readBefore(id)).toEqual(items(seals));
  const { order } = await under.orders.getOrder({ id, organizationId });
  expect(order!.items.map(({ sealId }) => sealId)).toEqual(seals);
});

test('an order of the version before without items has none', async () => {
  const { id, organizationId } = await makeBefore([]);
  expect(await readBefore(id)).toEqual([]);
  expect((await under.orders.getOrder({ id, organizationId })).order!.items).toEqual([]);
});
