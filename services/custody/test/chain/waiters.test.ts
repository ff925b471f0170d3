import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { type Database, migrate, openDatabase, type Sql } from '@pto/database';
import { createTelemetry } from '@pto/telemetry';
import { type TestDatabase, testDatabase, until } from '@pto/testing';
import { migrations } from '../../migrations/index.ts';
import { createChainWaiters, type WaitForEntry } from '../../src/chain/read-chain.ts';

const organizationId = randomUUID();
const signal = new AbortController().signal;

let database: TestDatabase;
let db: Database;
let statements: number;
let failing: Error | null;
let wait: WaitForEntry;
const counted: Sql = {
  query: (text, parameters) => {
    statements++;
    return failing ? Promise.reject(failing) : db.query(text, parameters);
  },
};
beforeAll(async () => {
  database = await testDatabase('custody');
  await migrate(database.ownerUrl, migrations);
  db = await openDatabase({
    url: database.serviceUrl,
    poolMax: 10,
    statementTimeoutMs: 5000,
    lockTimeoutMs: 5000,
    telemetry: createTelemetry({ service: 'test', write: () => {} }),
  });
});
afterAll(async () => {
  await db.close();
  await database.drop();
});
beforeEach(() => {
  [statements, failing] = [0, null];
  wait = createChainWaiters(counted);
});

const setSequence = (orderId: string, sequence: number) =>
  db.query(
    `insert into chains (order_id, organization_id, sequence, head_hash) values ($1, $2, $3, '')
     on conflict (order_id) do update set sequence = excluded.sequence`,
    [orderId, organizationId, sequence],
  );

test('50 readers of a delayed ledger share a statement every 25 ms', async () => {
  const orderIds = Array.from({ length: 50 }, () => randomUUID());
  const begun = performance.now();
  const chains = await Promise.all(orderIds.map((id) => wait(id, 1, signal)));
  const tookMs = performance.now() - begun;
  expect(chains).toEqual(orderIds.map(() => null));
  expect(tookMs).toBeGreaterThan(1900);
  process.stdout.write(`${statements} statements of 50 readers in ${Math.round(tookMs)} ms\n`);
  expect(statements).toBeLessThanOrEqual(50 + 85);
  const ended = statements;
  await until(async () => (await wait(orderIds[0]!, 0, signal)) === null, {
    what: 'a read',
  });
  expect(statements).toBe(ended + 1); // the loop has ended with its last reader
});

test('a reader gets the chain once the awaited entry is appended', async () => {
  const orderId = randomUUID();
  await setSequence(orderId, 1);
  const waiting = wait(orderId, 3, signal);
  await setSequence(orderId, 3);
  expect(await waiting).toMatchObject({ organizationId, sequence: 3 });
});

test('a reader beyond the bound gets the chain as it is', async () => {
  wait = createChainWaiters(counted, { waitersMax: 2 });
  const signals = new AbortController();
  let ended = 0;
  const waiting = [1, 2].map(() => wait(randomUUID(), 1, signals.signal).then(() => ended++));
  await until(() => statements > 2, { what: 'both to wait' });
  expect(await wait(randomUUID(), 1, signal)).toBeNull();
  expect(ended).toBe(0);
  signals.abort();
  await Promise.all(waiting);
});

test('readers get the error of an unavailable database', async () => {
  const waiting = Promise.allSettled([1, 2].map(() => wait(randomUUID(), 1, signal)));
  await until(() => statements > 2, { what: 'the first look' });
  failing = new Error('unavailable');
  expect((await waiting).map((one) => one.status)).toEqual(['rejected', 'rejected']);
});
