/**
 * Looks at PostgreSQL's own plans. `ORDERS=1000000 SHOW_PLANS=1 npm test -- a-list-reads-one-index`
 * does so with a million orders, and prints them.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { ordersWithReference } from '../../src/reading/find-orders.ts';
import { lastRead, type OrderFilters, pageQueries } from '../../src/reading/orders-page.ts';
import { searchStatement } from '../../src/reading/search-orders.ts';
import { anOrder, type OrdersUnderTest, startOrdersService } from '../orders-service.ts';

const orderCount = Number(process.env.ORDERS ?? 100_000);
const pageSize = 51;
const request = anOrder();
const { organizationId } = request;

let under: OrdersUnderTest;
let owner: Client;
beforeAll(async () => {
  under = await startOrdersService();
  await under.orders.createOrder(request);
  owner = new Client({ connectionString: under.database.ownerUrl });
  await owner.connect();
  // one every 30 s; most change for a day or so, and one of a hundred also long after
  await owner.query(
    `insert into orders (id, organization_id, external_id, status, sla, source, pickup_location_id,
       dropoff_location_id, pickup_window_start, items, item_count, created_at, updated_at)
     select gen_random_uuid(), organization_id, 'E-' || n,
       (array['SUBMITTED', 'CLOSED', 'CLOSED', 'CLOSED', 'CANCELLED', 'ASSIGNED'])[1 + n % 6],
       'STANDARD', 'partner_api', pickup_location_id, dropoff_location_id, now(), '[]', 0, made,
       least(now(), made + random() * interval '2 days'
         + case when n % 100 = 0 then random() * (now() - made) else interval '0' end)
     from orders, generate_series(1, $1::int) n,
       lateral (select now() - n * interval '30 seconds' as made) m`,
    [orderCount],
  );
  await owner.query('vacuum analyze orders');
}, 300_000);
afterAll(async () => {
  await owner.end();
  await under.stop();
});

interface Plan {
  readonly 'Node Type': string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly Plans?: readonly Plan[];
}

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
const rowsOf = (plan: Plan): number => plan['Actual Rows'] * plan['Actual Loops'];

const secondsBack = (share: number): string =>
  new Date(Date.now() - orderCount * 30_000 * share).toISOString();
const middle = { createdAt: secondsBack(0.5), id: '00000000-0000-7000-8000-000000000000' };
const far = { createdAt: secondsBack(0.95), id: '00000000-0000-7000-8000-000000000000' };

const filters: Omit<OrderFilters, 'organizationId'>[] = [
  {},
  { status: 'CLOSED' },
  { status: 'DELIVERED' },
  { externalId: 'E-777' },
  { externalId: 'E-777', status: 'CLOSED', updatedSince: secondsBack(0.9) },
  ...[0, 0.001, 0.1, 0.5, 0.99, 2].flatMap((share) => [
    { updatedSince: secondsBack(share) },
    { updatedSince: secondsBack(share), status: 'ASSIGNED' },
  ]),
];
const table = filters.flatMap((filter) =>
  [undefined, middle, far].map((after) => ({
    name: `${JSON.stringify(filter)}${after ? ` behind ${after.createdAt}` : ''}`,
    filter,
    after,
  })),
);

test.each(table)('$name reads an index and no order in vain', async ({ filter, after }) => {
  const filters = { organizationId, ...filter };
  for (const query of pageQueries(filters)) {
    const { sql: text, parameters } = query(after, pageSize).select('o.id').compile();
    const { rows } = await owner.query(`explain (analyze, format json) ${text}`, [...parameters]);
    const [{ Plan: plan, 'Execution Time': ms }] = rows[0]['QUERY PLAN'];
    const nodes = nodesOf(plan as Plan);
    if (process.env.SHOW_PLANS) {
      const shown = await owner.query(`explain (analyze, buffers) ${text}`, [...parameters]);
      process.stdout.write(`\n${JSON.stringify(filter)} ${after?.createdAt ?? ''} ${ms} ms\n`);
      for (const row of shown.rows) process.stdout.write(`  ${row['QUERY PLAN']}\n`);
    }
    expect(nodes.filter((node) => node['Node Type'] === 'Seq Scan')).toEqual([]);
    for (const node of nodes) {
      const removed = node['Rows Removed by Filter'] ?? 0;
      expect(removed * node['Actual Loops']).toBeLessThanOrEqual(Math.max(rowsOf(node), pageSize));
    }
    // only orders that were alive at the moment may be sorted; they are the result
    const sorted = nodes.filter((node) => node['Node Type'].includes('Sort'));
    if (!text.includes('tstzrange')) expect(sorted).toEqual([]);
  }
});

test.each([
  ...['E-77', '%', 'nothing', 'E-9', '999'].map((part) => ({ part, status: undefined })),
  { part: 'nothing', status: 'CLOSED' },
])('a search for $part with $status reads a bounded part of one index', async (given) => {
  const { part, status } = given;
  const execute = async ({
    sql: text,
    parameters,
  }: {
    sql: string;
    parameters: readonly unknown[];
  }) =>
    (await owner.query(`explain (analyze, buffers, format json) ${text}`, [...parameters])).rows;
  const end = lastRead({ organizationId, status }, undefined).compile();
  const [last] = (await owner.query(end.sql, [...end.parameters])).rows;
  const filters = {
    ...{ organizationId, reference: `%${part}%`, status },
    ...(last && { lastAt: last.created_at.toISOString(), lastId: last.id }),
  };
  const [page] = pageQueries(filters).map((query) =>
    query(undefined, pageSize).select('o.id').compile(),
  );
  for (const statement of [end, page!]) {
    const [
      {
        'QUERY PLAN': [{ Plan: plan, 'Execution Time': ms }],
      },
    ] = await execute(statement);
    if (process.env.SHOW_PLANS) process.stdout.write(`search ${part} ${status}: ${ms} ms\n`);
    const nodes = nodesOf(plan as Plan);
    expect(nodes.filter((node) => /Seq Scan|Sort/.test(node['Node Type']))).toEqual(
      // the rows of the page are sorted, at most as many as it has
      nodes.filter((node) => node['Node Type'] === 'Sort' && rowsOf(node) <= pageSize),
    );
    for (const node of nodes)
      expect(rowsOf(node) + (node['Rows Removed by Filter'] ?? 0)).toBeLessThanOrEqual(50_000);
    if (status === undefined) expect(JSON.stringify(plan)).toContain('Index Only Scan');
  }
});

test('a search by reference steps over the organizations by an index', async () => {
  const { sql: text, parameters } = ordersWithReference('E-777').compile();
  await owner.query('set enable_seqscan = off');
  const { rows } = await owner.query(`explain (analyze, format json) ${text}`, [...parameters]);
  await owner.query('reset enable_seqscan');
  const nodes = nodesOf(rows[0]['QUERY PLAN'][0].Plan as Plan);
  expect(nodes.filter((node) => node['Node Type'] === 'Seq Scan')).toEqual([]);
  for (const node of nodes) expect(rowsOf(node)).toBeLessThanOrEqual(3);
  expect(nodes.some((node) => rowsOf(node) === 1)).toBe(true);
});

test('a page of open orders of all organizations reads only these, in the order of an index', async () => {
  const search = { text: '', organizationId: '', statuses: ['ASSIGNED', 'SUBMITTED'], afterId: '' };
  const { sql: text, parameters } = searchStatement({ ...search, limit: 50 }).compile();
  const { rows } = await owner.query(`explain (analyze, format json) ${text}`, [...parameters]);
  const nodes = nodesOf(rows[0]['QUERY PLAN'][0].Plan as Plan);
  expect(JSON.stringify(rows)).toContain('orders_open');
  for (const node of nodes) expect(rowsOf(node)).toBeLessThanOrEqual(2 * pageSize);
});
