import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { testDatabase } from '@pto/testing';
import { Client } from 'pg';
import { grows, planOf } from '../plans/judge.ts';
import { type LoggedStatement, parse } from '../plans/logged-statements.ts';
import { pretend } from '../plans/pretend-size.ts';

let database: Awaited<ReturnType<typeof testDatabase>>;
let client: Client;
beforeAll(async () => {
  database = await testDatabase('orders');
  client = new Client({ connectionString: database.superuserUrl });
  await client.connect();
  await client.query(`
    create table goods (id uuid primary key default uuidv7(), organization_id uuid, kind text)
      with (autovacuum_enabled = off);
    create index on goods (organization_id, id);
    insert into goods (organization_id, kind)
      select md5((n % 10)::text)::uuid, 'k' || n % 3 from generate_series(1, 1000) n`);
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

const statement = (text: string, ...values: string[]): LoggedStatement => ({
  database: 'plans',
  text,
  values: [values],
});

test('a plan that reads other organizations’ rows grows, one that reads an index does not', async () => {
  const own = statement(
    'select id from goods where organization_id = $1 order by id limit 10',
    "'cfcd2084-95d5-65ef-66e7-dff9f98764da'",
  );
  const all = statement('select id from goods where kind = $1', "'k1'");
  await client.query('vacuum analyze');
  const small = { organizations: 1000, orders: 100_000 };
  await pretend(client, { organizations: 10, orders: 1000 }, small);
  const few = [await planOf(client, own), await planOf(client, all)];
  await pretend(client, small, { organizations: 100_000, orders: 10_000_000 });
  const many = [await planOf(client, own), await planOf(client, all)];
  expect(grows(few[0]!, many[0]!)).toBe(false);
  expect(grows(few[1]!, many[1]!)).toBe(true);
  expect(many[1]).toMatchObject({ scans: ['goods'] });
  expect(many[1]!.cost).toBeGreaterThan(50 * few[1]!.cost);
});

test('statements are read from the log with their values, once for each text', () => {
  const log = [
    '|orders|orders_service|LOG:  execute s1: select 1',
    '\t where a = $1',
    "|orders|orders_service|DETAIL:  Parameters: $1 = 'it''s, $2', $2 = NULL",
    '|orders|orders_service|LOG:  statement: begin',
    '|orders|orders_service|LOG:  execute <unnamed>: select 1',
    '\t where a = $1',
    "|orders|orders_service|DETAIL:  Parameters: $1 = 'b'",
    '|orders|postgres|LOG:  statement: select 2',
  ].join('\n');
  expect(parse(log)).toEqual([
    {
      database: 'orders',
      text: 'select 1\n where a = $1',
      values: [["'it''s, $2'", 'NULL'], ["'b'"]],
    },
  ]);
});
