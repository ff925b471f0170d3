import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { type TestDatabase, testDatabase } from '@pto/testing';
import { Client } from 'pg';
import { type Database, type Sql, withSavepoint } from '../src/index.ts';
import { openForTest } from './open-for-test.ts';

let database: TestDatabase;
let db: Database;
let owner: Client;
beforeAll(async () => {
  database = await testDatabase('pipelined');
  owner = new Client({ connectionString: database.ownerUrl });
  await owner.connect();
  await owner.query('create table things (id int primary key)');
  await owner.query('grant select, insert, update on things to public');
  db = await openForTest(database.serviceUrl);
});
beforeEach(() => owner.query('truncate things'));
afterAll(async () => {
  await db.close();
  await owner.end();
  await database.drop();
});

const insert = 'insert into things values ($1)';
const stored = async () =>
  (await db.query<{ id: number }>('select id from things order by id')).map(({ id }) => id);

test('pipelined statements are committed with the transaction, whether prepared or not', async () => {
  for (let n = 0; n < 5; n++)
    await db.transaction(async (tx) => {
      await tx.pipelined.query(insert, [n * 2]);
      await tx.pipelined.query(insert, [n * 2 + 1]);
    });
  expect(await stored()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

test('a statement sees what earlier pipelined statements wrote', async () => {
  await db.transaction(async (tx) => {
    await tx.pipelined.query(insert, [1]);
    await tx.pipelined.query('update things set id = id + 1 where id = $1', [1]);
    expect(await tx.query('select id from things')).toEqual([{ id: 2 }]);
  });
});

test('a transaction whose last pipelined statement fails rejects, and nothing is stored', async () => {
  for (let n = 0; n < 3; n++) {
    const work = db.transaction(async (tx) => {
      await tx.query(insert, [1]);
      await tx.pipelined.query(insert, [2]);
      await tx.pipelined.query(insert, [2]);
    });
    await expect(work).rejects.toMatchObject({ code: '23505' });
    expect(await stored()).toEqual([]);
  }
});

test('a transaction that throws stores none of its pipelined statements', async () => {
  const work = db.transaction(async (tx) => {
    await tx.pipelined.query(insert, [1]);
    throw new Error('changed its mind');
  });
  await expect(work).rejects.toThrow('changed its mind');
  expect(await stored()).toEqual([]);
});

test('a savepoint undoes only the work behind it', async () => {
  for (let n = 0; n < 3; n++) {
    await owner.query('truncate things');
    await db.transaction(async (tx) => {
      await tx.pipelined.query(insert, [1]);
      const twice = async () => {
        await tx.query(insert, [2]);
        await tx.query(insert, [1]);
      };
      expect(await withSavepoint(tx, twice, () => true)).toMatchObject({ code: '23505' });
      expect(
        await withSavepoint(
          tx,
          async () => void (await tx.query(insert, [3])),
          () => true,
        ),
      ).toBe(null);
    });
    expect(await stored()).toEqual([1, 3]);
  }
});

test('a statement that is sent with the next one has its rows, and its error where it fails', async () => {
  for (let n = 0; n < 3; n++) {
    await owner.query('truncate things');
    const read = 'select id + $1::int as id from things';
    await db.transaction(async (tx) => {
      await tx.pipelined.query(insert, [1]);
      const rows = await Promise.all([tx.withNext.query(read, [1]), tx.query(read, [2])]);
      expect(rows).toEqual([[{ id: 2 }], [{ id: 3 }]]);
    });
    const twice = db.transaction(async (tx) => {
      await Promise.all([tx.withNext.query(insert, [1]), tx.query(insert, [2])]);
    });
    await expect(twice).rejects.toMatchObject({ code: '23505' });
    expect(await stored()).toEqual([1]);
  }
});

test('a statement that is sent with the next one goes on after a migration changed its result', async () => {
  const first = () =>
    db.transaction(async (tx) => {
      const of = (sql: Sql) => sql.query('select * from things where id = $1', [1]);
      return (await Promise.all([of(tx.withNext), tx.query('select $1::int', [1])]))[0];
    });
  await db.query(insert, [1]);
  for (let n = 0; n < 3; n++) expect(await first()).toEqual([{ id: 1 }]);
  await owner.query('alter table things add column note text');
  expect(await first()).toEqual([{ id: 1, note: null }]);
  await owner.query('alter table things drop column note');
});
