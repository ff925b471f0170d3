/** A partner's list by a part of the reference. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { anOrder, type OrdersUnderTest, ordersOf, startOrdersService } from '../orders-service.ts';

let under: OrdersUnderTest;
let owner: Client;
beforeAll(async () => {
  under = await startOrdersService();
  owner = new Client({ connectionString: under.database.ownerUrl });
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await under.stop();
});

const create = async (organizationId: string, externalId: string): Promise<string> => {
  const { body } = await under.orders.createOrder({ ...anOrder(), organizationId, externalId });
  return JSON.parse(Buffer.from(body).toString()).id;
};
/** Adds orders, the newest first: one a second before the other, with these references. */
const fill = (organizationId: string, count: number, reference: string) =>
  owner.query(
    `insert into orders (id, organization_id, external_id, status, sla, source, pickup_location_id,
       dropoff_location_id, pickup_window_start, items, item_count, created_at, updated_at)
     select gen_random_uuid(), organization_id, $2 || n, 'CLOSED', sla, source, pickup_location_id,
       dropoff_location_id, now(), items, item_count, created_at - n * interval '1 s', now()
     from (select * from orders where organization_id = $1 limit 1) o, generate_series(1, $3::int) n`,
    [organizationId, reference, count],
  );
const pages = async (organizationId: string, filters: object, limit = 100) => {
  const all: string[][] = [];
  for (let cursor: string | undefined; ; ) {
    const page: Awaited<ReturnType<typeof under.orders.listOrders>> = await under.orders.listOrders(
      { organizationId, limit, ...filters, ...(cursor !== undefined && { cursor }) },
    );
    all.push(ordersOf(page).map(({ external_id }) => external_id!));
    cursor = page.nextCursor;
    if (cursor === undefined) return all;
  }
};

test('a part of a reference finds orders in any case and any status, of the organization alone', async () => {
  const [org, other] = [randomUUID(), randomUUID()];
  for (const reference of ['LAB-2026/0815_A', 'lab-2026/0816_B', 'Ward 7', 'LAB%2026'])
    await create(org, reference);
  await create(other, 'LAB-2026/0817');
  const id = await create(org, 'x-LAB-2026');
  await owner.query(`update orders set status = 'CLOSED' where id = $1`, [id]);
  const found = async (search: string) => (await pages(org, { search })).flat().sort();
  expect(await found('lab-2026')).toEqual(['LAB-2026/0815_A', 'lab-2026/0816_B', 'x-LAB-2026']);
  expect(await found('0815_a')).toEqual(['LAB-2026/0815_A']);
  for (const search of ['%%%', '___', '\\\\\\', 'LAB_2026'])
    expect(await found(search)).toEqual([]);
  expect(await found('B%2')).toEqual(['LAB%2026']);
});

test('pages, status, changes and the whole reference restrict a search', async () => {
  const org = randomUUID();
  await create(org, 'S-0');
  await fill(org, 250, 'PART-');
  const all = await pages(org, { search: 'part-' });
  expect(all.map(({ length }) => length)).toEqual([100, 100, 50]);
  expect(new Set(all.flat()).size).toBe(250);
  expect(all.flat().slice(0, 2)).toEqual(['PART-1', 'PART-2']);
  const one = { search: 'PART-', externalId: 'PART-7' };
  expect(await pages(org, one)).toEqual([['PART-7']]);
  expect(await pages(org, { ...one, externalId: 'S-0' })).toEqual([[]]);
  expect((await pages(org, { search: 'PART-', status: 'SUBMITTED' })).flat()).toEqual([]);
  expect((await pages(org, { search: 'PART-2', status: 'CLOSED' }, 7)).flat()).toHaveLength(62);
  const updatedSince = new Date(Date.now() + 60_000).toISOString();
  expect((await pages(org, { search: 'PART-', updatedSince })).flat()).toEqual([]);
  const since = { search: 'PART-', updatedSince: new Date(Date.now() - 600_000).toISOString() };
  expect((await pages(org, since)).flat()).toHaveLength(250);
});

test('a cursor belongs to its search', async () => {
  const org = randomUUID();
  await create(org, 'S-0');
  await fill(org, 3, 'PART-');
  const { nextCursor } = await under.orders.listOrders({
    ...{ organizationId: org, limit: 1, search: 'PART' },
  });
  for (const filters of [{ search: 'PARK' }, {}])
    await expect(
      under.orders.listOrders({ organizationId: org, limit: 1, cursor: nextCursor!, ...filters }),
    ).rejects.toMatchObject({ kind: 'VALIDATION' });
});

test('an old order is found page by page, each of which reads a bounded number of orders', async () => {
  const org = randomUUID();
  await create(org, 'S-0');
  await fill(org, 59_990, 'MASS-');
  await owner.query('vacuum analyze orders');
  expect(await pages(org, { search: 'MASS-59989' })).toEqual([[], ['MASS-59989']]);
  const byStatus = await pages(org, { search: 'MASS-59989', status: 'CLOSED' });
  expect(byStatus.map(({ length }) => length)).toEqual([0, 0, 0, 0, 0, 1]);
  expect(await pages(org, { search: '%%%' })).toEqual([[], []]);
}, 120_000);
