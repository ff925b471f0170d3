import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  type Database,
  migrate,
  openDatabase,
  sqlMigration,
  type Transaction,
} from '@pto/database';
import { createTelemetry } from '@pto/telemetry';
import { type TestDatabase, testDatabase } from '@pto/testing';
import { positionsIn } from '../../src/consume/positions.ts';
import { consumerTables, type IncomingMessage } from '../../src/index.ts';

let database: TestDatabase;
let db: Database;
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
  const { read, saveWith } = positionsIn(db, { group: 'with', topic: 't' });
  const handle = async (tx: Transaction) => saveWith(tx, [at(0, 4), at(1, 8), at(0, 5)]);
  const failing = db.transaction(async (tx) => {
    await handle(tx);
    throw new Error('no effect');
  });
  await expect(failing).rejects.toThrow('no effect');
  expect([...(await read())]).toEqual([]);
  await db.transaction(handle);
  expect([...(await read())].sort()).toEqual([
    [0, 6n],
    [1, 9n],
  ]);
});

test('the bus stores no position that is stored already, but any other', async () => {
  const { read, save, saved } = positionsIn(db, { group: 'once', topic: 't' });
  const positions = async () => [...(await read())];
  saved([at(0, 4)]);
  await save(0, 5n);
  expect(await positions()).toEqual([]);
  saved([at(0, 5)]);
  await save(0, 7n);
  expect(await positions()).toEqual([[0, 7n]]);
});

test('a transaction fails if a position has moved back, and then no position is known', async () => {
  const { known, read, requireKnown, save, saved } = positionsIn(db, { group: 'back', topic: 't' });
  const check = (...messages: IncomingMessage[]) =>
    db.transaction((tx) => requireKnown(tx, messages));
  await Promise.all([save(0, 5n), save(1, 5n)]);
  saved([at(1, 6)]); // with effects that the database has lost
  expect([known(0), known(1), known(2)]).toEqual([5n, 7n, undefined]);
  await check(at(0, 5), at(2, 0));
  await expect(check(at(0, 5), at(1, 7))).rejects.toMatchObject({ kind: 'SERVICE_UNAVAILABLE' });
  expect([known(0), known(1)]).toEqual([undefined, undefined]);
  await read();
  await check(at(0, 5), at(1, 7));
  expect([known(0), known(1)]).toEqual([5n, 5n]);
});
