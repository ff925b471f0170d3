import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { type TestDatabase, testDatabase } from '@pto/testing';
import { Client, type PoolClient } from 'pg';
import { beginWithFirst } from '../../src/connections/begin-with-first.ts';

let database: TestDatabase;
let owner: Client;
let client: Client;
let writes: number;
beforeAll(async () => {
  database = await testDatabase('begin');
  owner = new Client({ connectionString: database.ownerUrl });
  await owner.connect();
  await owner.query('create table things (id int)');
});
beforeEach(async () => {
  await owner.query('truncate things');
  client = new Client({ connectionString: database.ownerUrl });
  await client.connect();
  beginWithFirst(client as unknown as PoolClient);
  countWrites();
});
afterEach(() => client.end());
afterAll(async () => {
  await owner.end();
  await database.drop();
});

/** Counts the system calls by which the client sends messages. */
const countWrites = () => {
  writes = 0;
  const { stream } = (client as unknown as { connection: { stream: Record<string, unknown> } })
    .connection;
  for (const name of ['_write', '_writev']) {
    const write = stream[name] as (...words: unknown[]) => void;
    stream[name] = function (this: unknown, ...words: unknown[]) {
      writes++;
      write.apply(this, words);
    };
  }
};

const insert = (id: number) =>
  client.query({
    name: 'insert',
    text: 'insert into things values ($1) returning id',
    values: [id],
  });
const stored = async () =>
  (await owner.query('select id from things order by id')).rows.map(({ id }) => id);

test('a prepared first statement is sent with begin, and its result is its own', async () => {
  await insert(1);
  writes = 0;
  await client.query('begin');
  expect(await insert(2)).toMatchObject({ command: 'INSERT', rowCount: 1, rows: [{ id: 2 }] });
  expect(await stored()).toEqual([1]);
  await client.query('commit');
  expect(writes).toBe(2);
  expect(await stored()).toEqual([1, 2]);
});

test('statements of a transaction that is rolled back have no effect', async () => {
  await insert(1);
  await client.query('begin');
  await insert(2);
  await insert(3);
  await client.query('rollback');
  await insert(4);
  expect(await stored()).toEqual([1, 4]);
});

test.each(['prepared', 'not prepared'])(
  'a statement that is %s does not run if begin fails',
  async (which) => {
    if (which === 'prepared') await insert(1);
    const before = await stored();
    await client.query('begin isolation level unknown');
    await expect(insert(2)).rejects.toThrow('syntax error');
    expect(await stored()).toEqual(before);
    await insert(3);
    expect(await stored()).toEqual([...before, 3]);
  },
);

test('statements that are issued together run in their order, inside of the transaction', async () => {
  await client.query('begin');
  await Promise.all([
    insert(1),
    client.query('update things set id = id + 10'),
    client.query('insert into things values (5)'),
  ]);
  expect(await stored()).toEqual([]);
  await client.query('commit');
  expect(await stored()).toEqual([5, 11]);
});

test('a first statement that fails leaves the transaction failed until its rollback', async () => {
  const divide = (by: number) =>
    client.query({ name: 'divide', text: 'select 1 / $1::int', values: [by] });
  await divide(1);
  await client.query('begin');
  await expect(divide(0)).rejects.toThrow('division by zero');
  await expect(client.query('insert into things values (1)')).rejects.toThrow('aborted');
  await client.query('rollback');
  await insert(2);
  expect(await stored()).toEqual([2]);
});

test('a transaction without statements sends nothing', async () => {
  await client.query('begin');
  await client.query('commit');
  await client.query('start transaction isolation level repeatable read read only');
  await client.query('rollback');
  expect(writes).toBe(0);
  await insert(1);
  expect(await stored()).toEqual([1]);
});

test('a read-only transaction stays read-only', async () => {
  await insert(1);
  await client.query('start transaction isolation level repeatable read read only');
  await expect(insert(2)).rejects.toThrow('read-only');
  await client.query('rollback');
});
