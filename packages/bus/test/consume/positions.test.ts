import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  type Database,
  migrate,
  openDatabase,
  type Sql,
  sqlMigration,
  type Transaction,
} from '@pto/database';
import { createTelemetry } from '@pto/telemetry';
import { type TestDatabase, testDatabase } from '@pto/testing';
import { positionsIn } from '../../src/consume/positions.ts';
import { consumerTables, type IncomingMessage } from '../../src/index.ts';

let database: TestDatabase;
let db: Database;
const texts: string[] = [];
const sql: Sql = {
  query: async <Row>(text: string, parameters: readonly unknown[] = []) => {
    texts.push(text);
    return db.query<Row>(text, parameters);
  },
};
beforeAll(async () => {
  database = await testDatabase('positions');
  await migrate(database.ownerUrl, [sqlMigration('20261123000000_positions', [...consumerTables])]);
  db = await openDatabase({
    url: database.serviceUrl,
    poolMax: 3,
    statementTimeoutMs: 3000,
    lockTimeoutMs: 2000,
    telemetry: createTelemetry({ service: 'positions', write: () => {} }),
  });
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

test('partitions that are saved or read at one moment share a statement, and the last of a partition counts', async () => {
  const { save, read } = positionsIn(sql, { group: 'g' });
  texts.length = 0;
  await Promise.all([save('t', 1, 5n), save('t', 0, 7n), save('t', 1, 6n), save('u', 1, 9n)]);
  expect(texts).toHaveLength(1);
  const [t, u, none] = await Promise.all(['t', 'u', 'v'].map(read));
  expect(texts).toHaveLength(2);
  expect([...t!].sort()).toEqual([
    [0, 7n],
    [1, 6n],
  ]);
  expect([...u!]).toEqual([[1, 9n]]);
  expect([...none!]).toEqual([]);
});

const at = (partition: number, offset: number): IncomingMessage => ({
  topic: 't',
  partition,
  offset: `${offset}`,
  key: 'k',
  id: 'unused',
  type: 'unused',
  value: new Uint8Array(),
});

test('a position is stored with the effects, or not at all', async () => {
  const { read, saveWith } = positionsIn(sql, { group: 'with' });
  const handle = async (tx: Transaction) => saveWith(tx, [at(0, 4), at(1, 8), at(0, 5)]);
  const failing = db.transaction(async (tx) => {
    await handle(tx);
    throw new Error('no effect');
  });
  await expect(failing).rejects.toThrow('no effect');
  expect([...(await read('t'))]).toEqual([]);
  await db.transaction(handle);
  expect([...(await read('t'))].sort()).toEqual([
    [0, 6n],
    [1, 9n],
  ]);
});

test('the bus stores no position that is stored already, but any other', async () => {
  const { read, save, saved } = positionsIn(sql, { group: 'once' });
  const positions = async () => [...(await read('t'))];
  saved([at(0, 4)]);
  await save('t', 0, 5n);
  expect(await positions()).toEqual([]);
  await save('t', 0, 5n);
  expect(await positions()).toEqual([[0, 5n]]);
  saved([at(0, 5)]);
  await save('t', 0, 7n);
  expect(await positions()).toEqual([[0, 7n]]);
});

test('a transaction fails if a position has moved back, and then no position is known', async () => {
  const { known, read, requireKnown, save, saved } = positionsIn(sql, { group: 'back' });
  const check = (...messages: IncomingMessage[]) =>
    db.transaction((tx) => requireKnown(tx, messages));
  await Promise.all([save('t', 0, 5n), save('t', 1, 5n)]);
  saved([at(1, 6)]); // with effects that the database has lost
  expect([known('t', 0), known('t', 1), known('t', 2)]).toEqual([5n, 7n, undefined]);
  await check(at(0, 5), at(2, 0));
  await expect(check(at(0, 5), at(1, 7))).rejects.toMatchObject({ kind: 'SERVICE_UNAVAILABLE' });
  expect([known('t', 0), known('t', 1)]).toEqual([undefined, undefined]);
  await read('t');
  await check(at(0, 5), at(1, 7));
  expect([known('t', 0), known('t', 1)]).toEqual([5n, 5n]);
});
