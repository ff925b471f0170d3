import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type TestDatabase, testDatabase } from '@pto/testing';
import { Client } from 'pg';
import { migrate, sqlMigration } from '../../src/index.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase('migrations');
});
afterAll(() => database.drop());

const query = async (sql: string): Promise<Record<string, unknown>[]> => {
  const client = new Client({ connectionString: database.ownerUrl });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
};

const things = sqlMigration('20260101000000_things', [
  'create table things (n int)',
  'select pg_sleep(0.3)',
  'insert into things values (1)',
]);

test('of five replicas that start together one migrates and all go on', async () => {
  const runs = await Promise.all([1, 2, 3, 4, 5].map(() => migrate(database.ownerUrl, [things])));
  expect(runs.flat()).toEqual(['20260101000000_things']);
  expect(await query('select n from things')).toEqual([{ n: 1 }]);
});

test('one that fails stops the start, and leaves nothing half done', async () => {
  const broken = sqlMigration('20260102000000_broken', [
    'create table half (n int)',
    'insert into nowhere values (1)',
  ]);
  await expect(migrate(database.ownerUrl, [things, broken])).rejects.toThrow('nowhere');
  expect(await query(`select to_regclass('half') as half`)).toEqual([{ half: null }]);
});

test("the service's own role cannot change the schema", async () => {
  const client = new Client({ connectionString: database.serviceUrl });
  await client.connect();
  for (const ddl of [
    'create table mine (n int)',
    'alter table things add column m int',
    'drop table things',
    'create schema mine',
    'create temp table mine (n int)',
  ])
    await expect(client.query(ddl)).rejects.toMatchObject({ code: '42501' });
  await client.query('insert into things values (2)');
  await client.end();
});
