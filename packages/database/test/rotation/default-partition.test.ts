import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createTelemetry } from '@pto/telemetry';
import { type TestDatabase, testDatabase } from '@pto/testing';
import { Client } from 'pg';
import {
  type Database,
  dailyPartitions,
  firstUuidv7,
  migrate,
  openDatabase,
  rotateDailyPartitions,
  sqlMigration,
} from '../../src/index.ts';

const dayMs = 86_400_000;

let lines: string[];
let telemetry: ReturnType<typeof createTelemetry>;
let database: TestDatabase;
let db: Database;
let owner: Client;
beforeEach(async () => {
  lines = [];
  telemetry = createTelemetry({ service: 'test', write: (line) => lines.push(line) });
  database = await testDatabase('rotation');
  await migrate(database.ownerUrl, [
    sqlMigration('20260101000000_work', [
      ...['first', 'second'].map(
        (table) => `create table ${table} (
          id uuid primary key,
          position bigint generated always as identity,
          note text not null default '' check (note <> 'bad')
        ) partition by range (id)`,
      ),
      'create index first_by_note on first (note, id)',
      ...dailyPartitions({ first: 'false', second: 'false' }),
    ]),
  ]);
  owner = new Client({ connectionString: database.ownerUrl });
  await owner.connect();
  db = await openDatabase({
    url: database.serviceUrl,
    poolMax: 3,
    statementTimeoutMs: 5000,
    lockTimeoutMs: 2000,
    telemetry,
  });
});
afterEach(async () => {
  await owner.end();
  await db.close();
  await database.drop();
});

/** Days from today (UTC) whose partition is dropped, as if it had never been created. */
const dropDays = async (table: string, days: readonly number[]): Promise<void> => {
  for (const day of days) await owner.query(`drop table ${partition(table, day)}`);
};

const dayOf = (fromToday: number): Date => new Date(Date.now() + fromToday * dayMs);

const partition = (table: string, fromToday: number): string =>
  `${table}_${dayOf(fromToday).toISOString().slice(0, 10).replaceAll('-', '')}`;

const idOn = (fromToday: number, n = 0): string =>
  firstUuidv7(Math.floor(dayOf(fromToday).getTime() / dayMs) * dayMs + 3_600_000 + n);

const exists = async (table: string): Promise<boolean> =>
  (await owner.query('select to_regclass($1) is not null as found', [table])).rows[0].found;

/** Rotates in a process of its own: its metrics count this rotation alone. */
const rotate = (days: Readonly<Record<string, number>> = { first: 30, second: 30 }) => {
  telemetry = createTelemetry({ service: 'test', write: (line) => lines.push(line) });
  return rotateDailyPartitions(db, days, telemetry).stop();
};

const failures = async (table: string): Promise<number | undefined> =>
  (
    await telemetry.metrics.getSingleMetric('database_partition_rotation_failures_total')!.get()
  ).values.find(({ labels }) => labels.table === table)?.value;

test('moves rows of a day into its partition, and creates the partitions of later tables', async () => {
  await dropDays('first', [6, 7]);
  await dropDays('second', [7]);
  await db.query('insert into first (id, note) values ($1, $2), ($3, $4)', [
    idOn(7),
    'last day',
    idOn(6, 1),
    'day before',
  ]);
  const before = await db.query('select * from first order by id');
  await rotate();
  expect(
    await db.query('select tableoid::regclass::text as table, note from first order by id'),
  ).toEqual([
    { table: partition('first', 6), note: 'day before' },
    { table: partition('first', 7), note: 'last day' },
  ]);
  expect(await db.query('select * from first order by id')).toEqual(before);
  expect(await exists(partition('second', 7))).toBe(true);
  expect([await failures('first'), await failures('second')]).toEqual([0, 0]);
  // the partition is like any other: numbered, checked, indexed
  await db.query('insert into first (id) values ($1)', [idOn(7, 1)]);
  await expect(
    db.query(`insert into first values ($1, default, 'bad')`, [idOn(7, 2)]),
  ).rejects.toThrow('violates check constraint');
  const indexes = await db.query(
    `select count(*)::int as count from pg_indexes where tablename = $1`,
    [partition('first', 7)],
  );
  expect(indexes).toEqual([{ count: 2 }]);
});

test('counts a day that it cannot create, and creates all others', async () => {
  await dropDays('first', [5, 7]);
  await dropDays('second', [7]);
  await owner.query(
    `insert into first (id) select (lpad(to_hex($1::bigint + n), 12, '0') || repeat('0', 20))::uuid
     from generate_series(1, 10001) as n`,
    [Math.floor(dayOf(5).getTime() / dayMs) * dayMs],
  );
  await rotate();
  expect(await exists(partition('first', 5))).toBe(false);
  expect(await exists(partition('first', 7))).toBe(true);
  expect(await exists(partition('second', 7))).toBe(true);
  expect([await failures('first'), await failures('second')]).toEqual([1, 0]);
  const logged = lines.map((line) => JSON.parse(line)).find(({ level }) => level === 'error');
  expect(logged).toMatchObject({ table: 'first', missing: [partition('first', 5)] });
  // what the runbook says
  await owner.query(`select move_default_partition_rows('first', $1::date, 100000)`, [
    dayOf(5).toISOString(),
  ]);
  await rotate();
  expect(await failures('first')).toBe(0);
  expect(await db.query('select count(*)::int as count from only first_other')).toEqual([
    { count: 0 },
  ]);
});

test('rotates the other tables when one of them fails', async () => {
  await dropDays('second', [7]);
  await rotate({ unknown: 7, second: 30 });
  expect(await exists(partition('second', 7))).toBe(true);
  expect([await failures('unknown'), await failures('second')]).toEqual([1, 0]);
});

test('the service cannot move rows itself', async () => {
  await expect(
    db.query(`select move_default_partition_rows('first', current_date, 1)`),
  ).rejects.toThrow('permission denied');
});
