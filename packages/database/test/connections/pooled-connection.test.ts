import { afterAll, afterEach, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import { type TestDatabase, testDatabase } from '@pto/testing';
import { Client } from 'pg';
import { PooledConnection } from '../../src/connections/pooled-connection.ts';

let database: TestDatabase;
let owner: Client;
let client: PooledConnection;
let writes: number;
beforeAll(async () => {
  database = await testDatabase('begin');
  owner = new Client({ connectionString: database.ownerUrl });
  await owner.connect();
  await owner.query('create table things (id int)');
});
beforeEach(async () => {
  await owner.query('truncate things');
  client = new PooledConnection({ connectionString: database.ownerUrl });
  await client.connect();
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

const insertText = 'insert into things values ($1) returning id';
const insert = (id: number) => client.run(insertText, [id]);
/** Inserts by a statement that is held back and whose result is not needed. */
const pipeline = (id: number | object) => client.hold(insertText, [id]);
/** Inserts by a statement that is sent with the next one. @returns its result. */
const withNext = (id: number) => client.runWithNext(insertText, [id]);
/** Makes the connection prepare the insert. */
const prepare = async () => {
  await insert(1);
  await owner.query('truncate things');
};
const resultOf = (id: number) => ({ command: 'INSERT', rowCount: 1, rows: [{ id }] });
const stored = async () =>
  (await owner.query('select id from things order by id')).rows.map(({ id }) => id);

test('a first statement is sent with begin, and its result is its own', async () => {
  await insert(1);
  writes = 0;
  client.begin('begin');
  expect(await insert(2)).toMatchObject({ command: 'INSERT', rowCount: 1, rows: [{ id: 2 }] });
  expect(await stored()).toEqual([1]);
  await client.commit();
  expect(writes).toBe(2);
  expect(await stored()).toEqual([1, 2]);
});

test('statements of a transaction that is rolled back have no effect', async () => {
  await insert(1);
  client.begin('begin');
  await insert(2);
  await insert(3);
  await client.rollback();
  await insert(4);
  expect(await stored()).toEqual([1, 4]);
});

test.each(['prepared', 'not prepared'])(
  'a statement that is %s does not run if begin fails',
  async (which) => {
    if (which === 'prepared') await prepare();
    const before = await stored();
    client.begin('begin isolation level unknown' as 'begin');
    await expect(insert(2)).rejects.toThrow('syntax error');
    expect(await stored()).toEqual(before);
    await insert(3);
    expect(await stored()).toEqual([...before, 3]);
  },
);

test('statements that are issued together run in their order, inside of the transaction', async () => {
  client.begin('begin');
  const query = jest.spyOn(client, 'query');
  const issued = [
    insert(1),
    client.run('update things set id = id + 10'),
    client.run('insert into things values (5)'),
  ];
  expect(query).toHaveBeenCalledTimes(1); // `pg` prints a warning for more than one at a time
  await Promise.all(issued);
  expect(await stored()).toEqual([]);
  await client.commit();
  expect(await stored()).toEqual([5, 11]);
});

test('a first statement that fails leaves the transaction failed until its rollback', async () => {
  const divide = (by: number) => client.run('select 1 / $1::int', [by]);
  await divide(1);
  client.begin('begin');
  await expect(divide(0)).rejects.toThrow('division by zero');
  await expect(client.run('insert into things values (1)')).rejects.toThrow('aborted');
  await client.rollback();
  await insert(2);
  expect(await stored()).toEqual([2]);
});

test('a transaction without statements sends nothing', async () => {
  client.begin('begin');
  await client.commit();
  client.begin('begin isolation level repeatable read read only');
  await client.rollback();
  expect(writes).toBe(0);
  await insert(1);
  expect(await stored()).toEqual([1]);
});

test('a read-only transaction stays read-only', async () => {
  await insert(1);
  client.begin('begin isolation level repeatable read read only');
  await expect(insert(2)).rejects.toThrow('read-only');
  await client.rollback();
});

test('pipelined statements are sent with the next one, in their order, and only its result is seen', async () => {
  await insert(1);
  client.begin('begin');
  await insert(2);
  writes = 0;
  pipeline(3);
  pipeline(4);
  expect(writes).toBe(0);
  expect(await insert(5)).toMatchObject({ command: 'INSERT', rowCount: 1, rows: [{ id: 5 }] });
  expect(writes).toBe(1);
  await client.commit();
  const { rows } = await owner.query('select id from things order by ctid');
  expect(rows.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5]);
});

test('a transaction of pipelined statements is one message with its begin and commit', async () => {
  await insert(1);
  writes = 0;
  client.begin('begin');
  pipeline(2);
  pipeline(3);
  await client.commit();
  expect(writes).toBe(1);
  expect(await stored()).toEqual([1, 2, 3]);
});

test('a statement that fails at its first run as a prepared one runs later', async () => {
  await owner.query('create unique index if not exists of_id on things (id)');
  await insert(1);
  client.begin('begin');
  pipeline(1);
  await expect(insert(2)).rejects.toMatchObject({ code: '23505' });
  await client.rollback();
  await insert(3);
  expect(await stored()).toEqual([1, 3]);
});

test.each(['prepared', 'not prepared'])(
  'a commit after a pipelined statement that is %s and fails commits nothing',
  async (which) => {
    await owner.query('create unique index if not exists of_id on things (id)');
    if (which === 'prepared') await prepare();
    await client.run('insert into things values (1)');
    client.begin('begin');
    await client.run('insert into things values (2)');
    pipeline(1);
    pipeline(3);
    await expect(client.commit()).rejects.toMatchObject({ code: '23505' });
    await client.rollback();
    expect(await stored()).toEqual([1]);
    await insert(4);
    expect(await stored()).toEqual([1, 4]);
  },
);

test('a rollback drops the pipelined statements that were not sent', async () => {
  await insert(1);
  client.begin('begin');
  await insert(2);
  pipeline(3);
  writes = 0;
  await client.rollback();
  expect(writes).toBe(1);
  await insert(4);
  client.begin('begin');
  pipeline(5);
  await client.rollback();
  await insert(6);
  expect(await stored()).toEqual([1, 4, 6]);
});

test('parameters that cannot be encoded end the connection, and nothing is committed', async () => {
  await insert(1);
  client.on('error', () => {});
  client.begin('begin');
  await insert(2);
  const circular: { self?: object } = {};
  circular.self = circular;
  pipeline(circular);
  await expect(client.commit()).rejects.toThrow();
  expect(await stored()).toEqual([1]);
});

test.each(['prepared', 'not prepared'])(
  'statements that are %s and sent with the next one have their own results',
  async (which) => {
    if (which === 'prepared') await prepare();
    client.begin('begin');
    writes = 0;
    const results = Promise.all([
      withNext(1),
      pipeline(2),
      withNext(3),
      client.run('update things set id = id + 10 where id = 1'),
    ]);
    const [first, , third, last] = await results;
    expect([first, third]).toMatchObject([resultOf(1), resultOf(3)]);
    expect(last).toMatchObject({ command: 'UPDATE', rowCount: 1, rows: [] });
    expect(writes).toBe(1);
    await client.commit();
    expect((await stored()).slice(-3)).toEqual([2, 3, 11]);
  },
);

test.each(['prepared', 'not prepared'])(
  'of statements that are %s, the one that fails and those behind it get the error',
  async (which) => {
    await owner.query('create unique index if not exists of_id on things (id)');
    if (which === 'prepared') await prepare();
    client.begin('begin');
    const results = [withNext(1), withNext(1), withNext(2), client.run('select 1')];
    expect(await Promise.allSettled(results)).toMatchObject([
      { value: resultOf(1) },
      { reason: { code: '23505' } },
      { reason: { code: '23505' } },
      { reason: { code: '23505' } },
    ]);
    await client.rollback();
    expect(await stored()).toEqual([]);
  },
);

test.each(['prepared', 'not prepared'])(
  'a statement that is %s and followed by no other is sent alone, what was held before it first',
  async (which) => {
    if (which === 'prepared') await prepare();
    client.begin('begin');
    pipeline(1);
    const result = withNext(2);
    pipeline(3);
    expect(await result).toMatchObject(resultOf(2));
    expect((await client.run('select id from things where id > 0')).rows).toEqual(
      [1, 2, 3].map((id) => ({ id })),
    );
    await client.rollback();
  },
);

test('a statement that is sent with the commit has its result, one that is rolled back an error', async () => {
  await insert(0);
  client.begin('begin');
  const committed = withNext(1);
  await client.commit();
  expect(await committed).toMatchObject(resultOf(1));
  client.begin('begin');
  const dropped = withNext(2);
  await client.rollback();
  await expect(dropped).rejects.toThrow('rolled back');
  expect(await stored()).toEqual([0, 1]);
});

test('a result that cannot be parsed rejects, and so does the statement behind it', async () => {
  await insert(0);
  client.setTypeParser(23, () => {
    throw new Error('unreadable');
  });
  client.begin('begin');
  const result = withNext(1);
  await expect(client.run("select 'text'")).rejects.toThrow('unreadable');
  await expect(result).rejects.toThrow('unreadable');
  await client.rollback();
});
