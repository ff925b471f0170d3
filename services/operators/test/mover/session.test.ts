import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Database, LostLock, openDatabase } from '@pto/database';
import { createTelemetry } from '@pto/telemetry';
import { testDatabase, until } from '@pto/testing';
import { openSession } from '../../src/mover/session.ts';

let database: Awaited<ReturnType<typeof testDatabase>>;
let db: Database;
beforeAll(async () => {
  database = await testDatabase('movers');
  db = await openDatabase({
    url: database.serviceUrl,
    poolMax: 5,
    statementTimeoutMs: 3000,
    lockTimeoutMs: 2000,
    telemetry: createTelemetry({ service: 'operators', write: () => {} }),
  });
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

const taken = () => until(() => openSession(db), { what: 'the session of the next mover' });

test('one mover has the session, and the next one gets it when that one ends', async () => {
  const first = await openSession(db);
  expect(first).not.toBeNull();
  expect(await openSession(db)).toBeNull();
  first!.release();
  (await taken()).release();
});

test('a mover that has lost its session stores nothing, and another one works', async () => {
  const lost = await taken();
  const [own] = await lost.query<{ pid: number }>('select pg_backend_pid() as pid');
  await db.query('select pg_terminate_backend($1)', [own!.pid]);
  const next = await taken();
  const work = lost.transaction((sql) => sql.query('select 1'));
  await expect(work).rejects.toBeInstanceOf(LostLock);
  expect(lost.lost.aborted).toBe(true);
  expect(await next.query('select 1')).toHaveLength(1);
  next.release();
});
