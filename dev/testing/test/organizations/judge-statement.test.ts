import { expect, test } from '@jest/globals';
import { unboundTables } from '../../src/organizations/judge-statement.ts';

const tables = new Set(['orders', 'parts', 'places']);
const unbound = (text: string) => unboundTables(text, tables);

test.each([
  'select 1',
  'select * from others where id = $1',
  'select * from orders where organization_id = $1 and id = $2',
  'select * from "orders" where $1 = "organization_id"',
  'select * from orders o where o.organization_id = any ($1::uuid[])',
  'select * from public.orders where (organization_id, id) = ($1, $2)',
  'select * from orders as o where (o.organization_id, o.id) in (select a, b from given)',
  'select * from orders o join parts as p on p.organization_id = o.organization_id and p.id = o.id where o.organization_id = $1',
  'select * from orders o where (o.id > $1 and (o.organization_id = $2))',
  'select * from orders as o, parts as p where o.organization_id = $1 and p.organization_id = $1',
  'insert into orders (id, organization_id) values ($1, $2) on conflict (organization_id, id) do nothing',
  'insert into orders (organization_id) select g.organization_id from unnest($1::uuid[]) as g (organization_id)',
  'update orders set status = $1 where organization_id = $2 and id = $3',
  'update orders as o set status = r.status from given as r where o.organization_id = r.organization_id and o.id = r.id',
  'with gone as (delete from parts where organization_id = $1 returning id) select count(*) from gone',
  'delete from parts as p using given as r where p.organization_id = r.organization_id',
  'with orders as (select * from unnest($1::uuid[]) as o (id)) select * from orders',
  'select * from given as g cross join lateral (select id from places as p where p.organization_id = g.organization_id) as found',
  'select * from orders where organization_id = $1 for update',
  "select extract(epoch from at) from orders where organization_id = $1 and text <> 'from parts'",
  'select * from orders where organization_id = $1 and (a is distinct from b)',
])('%s binds its tables', (text) => {
  expect(unbound(text)).toEqual([]);
});

test.each([
  ['select * from orders where id = $1', ['orders']],
  ['select * from orders as o where o.id = $1 and o.organization_id <> $2', ['orders as o']],
  ['select organization_id = $1 from orders where id = $2', ['orders']],
  ['select * from orders where id = $1 order by organization_id = $2', ['orders']],
  [
    'select * from orders as o join parts as p on p.id = o.id where o.organization_id = $1',
    ['parts as p'],
  ],
  ['select * from orders, parts as p where orders.organization_id = $1', ['parts as p']],
  [
    'select * from orders o where organization_id = $1 and exists (select from parts p where p.id = o.id)',
    ['parts as p'],
  ],
  [
    'select * from orders where id in (select id from parts where organization_id = $1)',
    ['orders'],
  ],
  ['insert into orders (id) values ($1)', ['orders']],
  ['insert into orders values ($1)', ['orders']],
  [
    'insert into orders (organization_id) select organization_id from parts where id = $1',
    ['parts'],
  ],
  ['update orders set organization_id = $1 where id = $2', ['orders']],
  ['update orders set a = b from parts as p where orders.organization_id = $1', ['parts as p']],
  [
    'with gone as (delete from parts where id = $1 returning id) select count(*) from gone',
    ['parts'],
  ],
  [
    'select 1 from parts where organization_id = $1 union all select 1 from parts where id = $2',
    ['parts'],
  ],
  ['select * from given left join only orders on true', ['orders']],
  ['delete from parts using orders where parts.organization_id = $1', ['orders']],
  [
    'select * from orders where organization_id = $1 and id = $2 union select * from parts',
    ['parts'],
  ],
])('%s does not bind %j', (text, names) => {
  expect(unbound(text)).toEqual(names);
});

test.each(['select (1', 'select 1)', 'select from where'])('%s is not a statement', (text) => {
  expect(() => unbound(text)).toThrow();
});
