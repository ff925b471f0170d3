import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { type TestDatabase, testDatabase } from '@pto/testing';
import { Client, type PoolClient } from 'pg';
import {
  holdStatements,
  markPipelined,
  markWithNext,
} from '../../src/connections/pipelined-statements.ts';

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
  holdStatements(client as unknown as PoolClient);
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
/** Inserts by a pipelined statement. */
const pipeline = (id: number | object) => {
  const values = [id];
  markPipelined(values);
  return client.query({
    name: 'insert',
    text: 'insert into things values ($1) returning id',
    values,
  });
};
/** Inserts by a statement that is sent with the next one. @returns its result. */
const withNext = (id: number | object) => {
  const values = [id];
  const result = markWithNext(values);
  void client.query({
    name: 'insert',
    text: 'insert into things values ($1) returning id',
    values,
  });
  return result;
};
const resultOf = (id: number) => ({ command: 'INSERT', rowCount: 1, rows: [{ id }] });
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

test('pipelined statements are sent with the next one, in their order, and only its result is seen', async () => {
  await insert(1);
  await client.query('begin');
  await insert(2);
  writes = 0;
  expect(await pipeline(3)).toMatchObject({ rows: [] });
  await pipeline(4);
  expect(writes).toBe(0);
  expect(await insert(5)).toMatchObject({ command: 'INSERT', rowCount: 1, rows: [{ id: 5 }] });
  expect(writes).toBe(1);
  await client.query('commit');
  const { rows } = await owner.query('select id from things order by ctid');
  expect(rows.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5]);
});

test('a transaction of pipelined statements is one message with its begin and commit', async () => {
  await insert(1);
  writes = 0;
  await client.query('begin');
  await pipeline(2);
  await pipeline(3);
  await client.query('commit');
  expect(writes).toBe(1);
  expect(await stored()).toEqual([1, 2, 3]);
});

test('pipelined statements that are not prepared run before the next one, too', async () => {
  await client.query('begin');
  await pipeline(1);
  await pipeline(2);
  await client.query('commit');
  expect(await stored()).toEqual([1, 2]);
});

test.each(['prepared', 'not prepared'])(
  'a commit after a pipelined statement that is %s and fails commits nothing',
  async (which) => {
    await owner.query('create unique index if not exists of_id on things (id)');
    if (which === 'prepared') await insert(1);
    else await client.query('insert into things values (1)');
    await client.query('begin');
    await client.query('insert into things values (2)');
    await pipeline(1);
    await pipeline(3);
    await expect(client.query('commit')).rejects.toMatchObject({ code: '23505' });
    await client.query('rollback');
    expect(await stored()).toEqual([1]);
    await insert(4);
    expect(await stored()).toEqual([1, 4]);
  },
);

test('a rollback drops the pipelined statements that were not sent', async () => {
  await insert(1);
  await client.query('begin');
  await insert(2);
  await pipeline(3);
  writes = 0;
  await client.query('rollback');
  expect(writes).toBe(1);
  await insert(4);
  expect(await stored()).toEqual([1, 4]);
});

test('parameters that cannot be encoded end the connection, and nothing is committed', async () => {
  await insert(1);
  client.on('error', () => {});
  await client.query('begin');
  await insert(2);
  const circular: { self?: object } = {};
  circular.self = circular;
  await pipeline(circular);
  await expect(client.query('commit')).rejects.toThrow();
  expect(await stored()).toEqual([1]);
});

test.each(['prepared', 'not prepared'])(
  'statements that are %s and sent with the next one have their own results',
  async (which) => {
    if (which === 'prepared') await insert(0);
    await client.query('begin');
    writes = 0;
    const results = Promise.all([
      withNext(1),
      pipeline(2),
      withNext(3),
      client.query('update things set id = id + 10 where id = 1'),
    ]);
    const [first, , third, last] = await results;
    expect([first, third]).toMatchObject([resultOf(1), resultOf(3)]);
    expect(last).toMatchObject({ command: 'UPDATE', rowCount: 1, rows: [] });
    if (which === 'prepared') expect(writes).toBe(1);
    await client.query('commit');
    expect((await stored()).slice(-3)).toEqual([2, 3, 11]);
  },
);

test.each(['prepared', 'not prepared'])(
  'of statements that are %s, the one that fails and those behind it get the error',
  async (which) => {
    await owner.query('create unique index if not exists of_id on things (id)');
    if (which === 'prepared') await insert(0);
    await client.query('begin');
    const results = [withNext(1), withNext(1), withNext(2), client.query('select 1')];
    expect(await Promise.allSettled(results)).toMatchObject([
      { value: resultOf(1) },
      { reason: { code: '23505' } },
      { reason: { code: '23505' } },
      { reason: { code: '23505' } },
    ]);
    await client.query('rollback');
    expect(await stored()).toEqual(which === 'prepared' ? [0] : []);
  },
);

test.each(['prepared', 'not prepared'])(
  'a statement that is %s and followed by no other is sent alone, what was held before it first',
  async (which) => {
    if (which === 'prepared') await insert(0);
    await client.query('begin');
    await pipeline(1);
    const result = withNext(2);
    await pipeline(3);
    expect(await result).toMatchObject(resultOf(2));
    expect((await client.query('select id from things where id > 0')).rows).toEqual(
      [1, 2, 3].map((id) => ({ id })),
    );
    await client.query('rollback');
  },
);

test('a statement that is sent with the commit has its result, one that is rolled back an error', async () => {
  await insert(0);
  await client.query('begin');
  const committed = withNext(1);
  await client.query('commit');
  expect(await committed).toMatchObject(resultOf(1));
  await client.query('begin');
  const dropped = withNext(2);
  await client.query('rollback');
  await expect(dropped).rejects.toThrow('rolled back');
  expect(await stored()).toEqual([0, 1]);
});

test('a result that cannot be parsed rejects, and so does the statement behind it', async () => {
  await insert(0);
  client.setTypeParser(23, () => {
    throw new Error('unreadable');
  });
  await client.query('begin');
  const result = withNext(1);
  await expect(client.query("select 'text'")).rejects.toThrow('unreadable');
  await expect(result).rejects.toThrow('unreadable');
  await client.query('rollback');
});
