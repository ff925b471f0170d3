import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTelemetry } from '@pto/telemetry';
import { type TestDatabase, testDatabase } from '@pto/testing';
import { Client } from 'pg';
import {
  type Database,
  dailyPartitions,
  migrate,
  openDatabase,
  rotateDailyPartitions,
  sqlMigration,
  uuidv7,
} from '../../src/index.ts';

const silent = () => createTelemetry({ service: 'test', write: () => {} });
let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await testDatabase('partitions');
  await migrate(database.ownerUrl, [
    sqlMigration('20260101000000_work', [
      'create table work (id uuid primary key, done boolean) partition by range (id)',
      ...dailyPartitions({ work: 'not done' }),
      // two days of long ago, as if they had been made then
      `create table work_20260101 partition of work
         for values from (first_uuidv7_of('2026-01-01')) to (first_uuidv7_of('2026-01-02'))`,
      `create table work_20260102 partition of work
         for values from (first_uuidv7_of('2026-01-02')) to (first_uuidv7_of('2026-01-03'))`,
    ]),
  ]);
  db = await openDatabase({
    url: database.serviceUrl,
    poolMax: 3,
    statementTimeoutMs: 3000,
    lockTimeoutMs: 2000,
    telemetry: silent(),
  });
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

test('a day whose work is done goes, one with work left stays, and new ids have a place', async () => {
  const insert = (at: string, done: boolean) =>
    db.query('insert into work values ($1, $2)', [idOf(Date.parse(at)), done]);
  await insert('2026-01-01T12:00:00Z', true);
  await insert('2026-01-02T12:00:00Z', false);
  const id = uuidv7();
  await db.query('insert into work values ($1, true)', [id]);
  await rotateDailyPartitions(db, { work: 7 }, silent()).stop();
  const rows = await db.query<{ table: string; done: boolean }>(
    'select tableoid::regclass::text as table, done from work order by id',
  );
  const madeAt = new Date(Number.parseInt(id.replace('-', '').slice(0, 12), 16));
  const today = madeAt.toISOString().slice(0, 10).replaceAll('-', '');
  expect(rows).toEqual([
    { table: 'work_20260102', done: false },
    { table: `work_${today}`, done: true },
  ]);
});

test('a day that somebody still reads is dropped later, and nobody waits for it', async () => {
  const owner = new Client({ connectionString: database.ownerUrl });
  const reader = new Client({ connectionString: database.serviceUrl });
  await Promise.all([owner.connect(), reader.connect()]);
  await owner.query(`create table work_20260103 partition of work
    for values from (first_uuidv7_of('2026-01-03')) to (first_uuidv7_of('2026-01-04'))`);
  await reader.query('begin');
  await reader.query('select from work_20260103');
  const there = async () =>
    (await owner.query(`select to_regclass('work_20260103') is not null as there`)).rows[0].there;
  await rotateDailyPartitions(db, { work: 7 }, silent()).stop();
  expect(await there()).toBe(true);
  await reader.query('commit');
  await rotateDailyPartitions(db, { work: 7 }, silent()).stop();
  expect(await there()).toBe(false);
  await Promise.all([reader.end(), owner.end()]);
});

test('the service can rotate nothing but its own tables', async () => {
  await expect(db.query(`select rotate_daily_partitions('migrations', 1, 0)`)).rejects.toThrow(
    'not a table with daily partitions',
  );
});

const idOf = (ms: number): string => {
  const hex = ms.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
};
