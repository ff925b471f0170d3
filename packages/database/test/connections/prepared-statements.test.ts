import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type TestDatabase, testDatabase } from '@pto/testing';
import { Client } from 'pg';
import type { Database, Sql } from '../../src/index.ts';
import { openForTest } from '../open-for-test.ts';

let database: TestDatabase;
let db: Database;
let owner: Client;
beforeAll(async () => {
  database = await testDatabase('prepared');
  owner = new Client({ connectionString: database.ownerUrl });
  await owner.connect();
  await owner.query('create table things (id int primary key)');
  await owner.query('insert into things select generate_series(1, 9)');
  await owner.query('grant select on things to public');
  db = await openForTest(database.serviceUrl);
});
afterAll(async () => {
  await db.close();
  await owner.end();
  await database.drop();
});

const preparedOf = (sql: Sql) =>
  sql.query<{ statement: string; generic_plans: string }>(
    'select statement, generic_plans from pg_prepared_statements',
  );

test('a statement is prepared at its first run, and planned once', async () => {
  const text = 'select id from things where id = $1';
  await db.transaction(async (tx) => {
    for (let n = 1; n < 9; n++) expect(await tx.query(text, [n])).toEqual([{ id: n }]);
    const prepared = (await preparedOf(tx)).filter(({ statement }) => statement === text);
    expect(prepared).toMatchObject([{ statement: text }]);
    expect(Number(prepared[0]!.generic_plans)).toBeGreaterThan(0);
  });
});

test('a statement whose result a migration changes goes on', async () => {
  const text = 'select * from things where id = $1';
  const connections = () => Promise.all([1, 2, 3, 4].map((n) => db.query(text, [n])));
  for (let n = 0; n < 3; n++) await connections();
  await owner.query("alter table things add column name text default 'new'");
  expect(await connections()).toEqual([1, 2, 3, 4].map((id) => [{ id, name: 'new' }]));
  await db.transaction(async (tx) => {
    expect(await tx.query(text, [5])).toEqual([{ id: 5, name: 'new' }]);
  });
});

test('a connection prepares at most 200 statements, however many texts there are', async () => {
  await db.transaction(async (tx) => {
    for (let n = 0; n < 600; n++) await tx.query(`select ${n % 300} + $1::int as sum`, [n]);
    expect((await preparedOf(tx)).length).toBe(200);
  });
});
