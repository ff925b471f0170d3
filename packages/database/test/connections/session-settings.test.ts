import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { stores, type TestDatabase, testDatabase } from '@pto/testing';
import { Client } from 'pg';
import { type Database, migrate, sqlMigration } from '../../src/index.ts';
import { openForTest } from '../open-for-test.ts';

/** What a role or database may have, and what each session has. */
const settings = [
  ['bytea_output', 'escape', 'hex'],
  ['datestyle', 'German, DMY', 'ISO, MDY'],
  ['default_transaction_isolation', 'serializable', 'read committed'],
  ['extra_float_digits', '-15', '1'],
  ['intervalstyle', 'sql_standard', 'postgres'],
  ['search_path', 'elsewhere', 'public'],
  ['standard_conforming_strings', 'off', 'on'],
  ['timezone', 'Asia/Kathmandu', 'UTC'],
] as const;

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await testDatabase('odd');
  const admin = new Client({ connectionString: stores().postgres });
  await admin.connect();
  for (const url of [database.ownerUrl, database.serviceUrl])
    for (const [name, odd] of settings)
      await admin.query(`alter role ${new URL(url).username} set ${name} = ${quoted(name, odd)}`);
  await admin.end();
  const create = [
    'create table things (at timestamptz, span interval, bytes bytea, n float8)',
    `insert into things values ('2026-11-26T01:02:03.123456Z', '1 day 02:00:00', '\\x00ff', 0.1)`,
    'grant select on things to public',
  ];
  await migrate(database.ownerUrl, [sqlMigration('20261126000000_things', create)]);
  db = await openForTest(database.serviceUrl);
});
afterAll(async () => {
  await db?.close();
  await database?.drop();
});

/** A list, such as a search path, is not one text in quotes. */
const quoted = (name: string, value: string): string =>
  name === 'datestyle' ? value : `'${value}'`;

test('a role that has these settings otherwise really has them', async () => {
  const client = new Client({ connectionString: database.serviceUrl });
  await client.connect();
  for (const [name, odd] of settings) {
    const { rows } = await client.query('select current_setting($1) as value', [name]);
    expect([name, rows[0].value]).toEqual([name, odd]);
  }
  await client.end();
});

test.each(settings)('each session has its own %s, though its role has %s', async (name, _, own) => {
  const [row] = await db.query<{ value: string }>('select current_setting($1) as value', [name]);
  expect(row!.value).toBe(own);
});

test('the server ends the session of a process that is gone, idle or not, after 11 s', async () => {
  // of TCP settings, PostgreSQL shows what its kernel says of this connection
  const rows = await db.query<{ name: string; setting: string }>(
    "select name, setting from pg_settings where name like 'tcp\\_%'",
  );
  expect(Object.fromEntries(rows.map(({ name, setting }) => [name, Number(setting)]))).toEqual({
    tcp_keepalives_count: 3,
    tcp_keepalives_idle: 5,
    tcp_keepalives_interval: 2,
    tcp_user_timeout: 11_000,
  });
});

test('a table is found and read as ever', async () => {
  const [row] = await db.query(`select at::text, span::text, bytes, n, 'a\\b' as text from things`);
  expect(row).toEqual({
    at: '2026-11-26 01:02:03.123456+00',
    span: '1 day 02:00:00',
    bytes: Buffer.from([0, 255]),
    n: 0.1,
    text: 'a\\b',
  });
});
