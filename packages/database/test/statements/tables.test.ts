import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { type TestDatabase, testDatabase } from '@pto/testing';
import { Client } from 'pg';
import { type Database, execute, fragment, tablesOf } from '../../src/index.ts';
import { openForTest } from '../open-for-test.ts';

const Seal = defineEntity({
  name: 'Seal',
  tableName: 'seals',
  properties: {
    id: p.uuid().primary(),
    number: p.bigint('string').autoincrement(),
    color: p.text().$type<'red' | 'blue'>(),
    labels: p.array().nullable(),
    digest: p.blob(),
    weight: p.double().$type<number>().nullable(),
    price: p.decimal().precision(12).scale(2),
    isOpen: p.boolean().default(false),
    appliedAt: p.datetime().defaultRaw('now()'),
    parts: p.json<readonly number[]>().columnType('json'),
  },
});
const tables = tablesOf([Seal]);

const id = '00000000-0000-7000-8000-000000000001';
const seal = {
  id,
  color: 'red' as const,
  digest: Buffer.from('ab', 'hex'),
  price: '12.50',
  applied_at: '2026-01-15T09:30:00.123456Z',
  parts: JSON.stringify([1, 2]) as never,
};

let database: TestDatabase;
let db: Database;
let owner: Client;
beforeAll(async () => {
  database = await testDatabase('tables');
  owner = new Client({ connectionString: database.ownerUrl });
  await owner.connect();
  await owner.query(`create table seals (id uuid primary key,
    number bigint generated always as identity, color text not null, labels text[],
    digest bytea not null, weight double precision, price numeric(12, 2) not null,
    is_open boolean not null default false, applied_at timestamptz not null default now(),
    parts json not null)`);
  db = await openForTest(database.serviceUrl);
});
afterAll(async () => {
  await db.close();
  await owner.end();
  await database.drop();
});

test('rows have the values that their types promise', async () => {
  expect(await execute(db, tables.insertInto('seals').values(seal))).toEqual([]);
  const [row] = await execute(db, tables.selectFrom('seals').selectAll().where('id', '=', id));
  const typed: {
    number: string;
    color: 'red' | 'blue';
    labels: string[] | null;
    digest: Buffer;
    weight: number | null;
    price: string;
    is_open: boolean;
    applied_at: string;
    parts: readonly number[];
  } = row!;
  expect(typed).toEqual({
    id,
    number: '1',
    color: 'red',
    labels: null,
    digest: Buffer.from('ab', 'hex'),
    weight: null,
    price: '12.50',
    is_open: false,
    applied_at: '2026-01-15 09:30:00.123456+00',
    parts: [1, 2],
  });
});

test('a column or a table that no entity has does not compile', () => {
  // @ts-expect-error: no such column
  tables.selectFrom('seals').select('shade');
  // @ts-expect-error: no such table
  tables.selectFrom('labels');
  // @ts-expect-error: another type
  tables.selectFrom('seals').where('is_open', '=', 'red');
  // @ts-expect-error: without the columns that have no default
  tables.insertInto('seals').values({ id });
});

test('a statement of a transaction is undone with it', async () => {
  const open = tables.updateTable('seals').set({ is_open: true }).where('id', '=', id);
  const aborted = db.transaction(async (tx) => {
    const rows = await execute(tx, open.returning(['is_open']));
    expect(rows).toEqual([{ is_open: true }]);
    throw new Error('abort');
  });
  await expect(aborted).rejects.toThrow('abort');
  expect(await execute(db, tables.selectFrom('seals').select('is_open'))).toEqual([
    { is_open: false },
  ]);
});

test('a statement is prepared once, whatever its values', async () => {
  await db.transaction(async (tx) => {
    const read = (color: 'red' | 'blue') =>
      execute(tx, tables.selectFrom('seals').select('id').where('color', '=', color));
    await read('red');
    await read('blue');
    expect(
      await tx.query(
        `select 1 from pg_prepared_statements where statement like 'select "id" from "seals" where "color"%'`,
      ),
    ).toHaveLength(1);
  });
});

test('an error of the database is converted as for text', async () => {
  const slow = tables.selectNoFrom(fragment<string>`pg_sleep(3)::text`.as('slept'));
  await expect(execute(db, slow)).rejects.toMatchObject({ kind: 'DEADLINE_EXCEEDED' });
});

test('the builder itself runs nothing', async () => {
  await expect(tables.selectFrom('seals').select('id').execute()).rejects.toThrow(
    'give the statement to execute()',
  );
});
