import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { type TestDatabase, testDatabase } from '@pto/testing';
import {
  bulkInsert,
  bulkStatement,
  type Database,
  execute,
  type Placeholders,
  tablesOf,
} from '../../src/index.ts';
import { openForTest } from '../open-for-test.ts';

const Bottle = defineEntity({
  name: 'Bottle',
  tableName: 'bottles',
  properties: {
    id: p.uuid().primary(),
    number: p.bigint('string').autoincrement(),
    parentId: p.uuid().nullable(),
    label: p.text().nullable(),
    size: p.integer().nullable(),
    shelf: p.smallint(),
    volume: p.bigint('string').nullable(),
    weight: p.double().$type<number>().nullable(),
    isOpen: p.boolean(),
    digest: p.blob().nullable(),
    filledAt: p.datetime(),
    parts: p.json<readonly number[]>().columnType('json'),
    tags: p.array().nullable(),
  },
});
const tables = tablesOf([Bottle]);
const insert = bulkInsert(tables, 'bottles');

const bottle = (n: number) => ({
  id: `00000000-0000-7000-8000-00000000000${n}`,
  parent_id: '00000000-0000-7000-8000-000000000001',
  label: 'a "b", {c}',
  size: n,
  shelf: n,
  volume: '9007199254740993',
  weight: 0.5,
  is_open: n % 2 === 0,
  digest: Buffer.from('ab', 'hex'),
  filled_at: '2026-01-15 09:30:00.123456+00',
  parts: JSON.stringify([n]) as never,
});
const nulls = {
  parent_id: null,
  label: null,
  size: null,
  volume: null,
  weight: null,
  digest: null,
};

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await testDatabase('insert-all');
  db = await openForTest(database.ownerUrl);
  await db.query(`create table bottles (id uuid primary key,
    number bigint generated always as identity, parent_id uuid, label text, size int,
    shelf smallint not null, volume bigint, weight double precision, is_open boolean not null,
    digest bytea, filled_at timestamptz not null, parts json not null, tags text[])`);
});
afterAll(async () => {
  await db.close();
  await database.drop();
});
beforeEach(() => db.query('truncate bottles restart identity'));

const stored = () => execute(db, tables.selectFrom('bottles').selectAll().orderBy('number'));

test('inserts values and nulls of each column type, in the order of the rows', async () => {
  expect(await insert(db, [bottle(3), { ...bottle(1), ...nulls }, bottle(2)])).toEqual([]);
  expect(await stored()).toEqual([
    { ...bottle(3), number: '1', parts: [3], tags: null },
    { ...bottle(1), ...nulls, number: '2', parts: [1], tags: null },
    { ...bottle(2), number: '3', parts: [2], tags: null },
  ]);
});

test('rows without a column leave it at its default', async () => {
  const { label: _, ...rest } = bottle(1);
  await insert(db, [bottle(2)]);
  await insert(db, [rest]);
  expect((await stored()).map(({ label }) => label)).toEqual([bottle(2).label, null]);
});

test('adds a conflict clause and returns what is inserted', async () => {
  const insertNew = bulkInsert(tables, 'bottles', (rows) =>
    rows.onConflict((conflict) => conflict.doNothing()).returning('id'),
  );
  await insert(db, [bottle(1)]);
  expect(await insertNew(db, [bottle(1), bottle(2)])).toEqual([{ id: bottle(2).id }]);
});

test('no rows need no statement', async () => {
  const closed = { query: () => Promise.reject(new Error('a statement ran')) };
  expect(await insert(closed, [])).toEqual([]);
});

test('rejects rows that differ in their columns, and a column that no array can send', async () => {
  const { label: _, ...rest } = bottle(1);
  await expect(insert(db, [rest, bottle(2)])).rejects.toThrow('different columns');
  await expect(insert(db, [{ ...bottle(1), tags: ['x'] }])).rejects.toThrow('bottles.tags');
  expect(await stored()).toEqual([]);
});

test('a statement over rows takes further parameters', async () => {
  const resize = bulkStatement(
    { id: 'uuid', by: 'int' },
    (rows, given: Placeholders<{ open: boolean }>) =>
      tables
        .updateTable('bottles')
        .from(rows('r'))
        .set(({ eb, ref }) => ({ size: eb('bottles.size', '+', ref('r.by')) }))
        .whereRef('bottles.id', '=', 'r.id')
        .where('bottles.is_open', '=', given.open)
        .returning(['bottles.size', 'r.n']),
  );
  await insert(db, [bottle(1), bottle(2)]);
  const rows = [bottle(1), bottle(2)].map(({ id }, n) => ({ id, by: 10 * (n + 1) }));
  expect(await resize(db, rows, { open: true })).toEqual([{ size: 22, n: '2' }]);
});
