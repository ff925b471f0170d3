import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { stores, type TestDatabase, testDatabase } from '@pto/testing';
import { Client } from 'pg';
import type { Database } from '../src/index.ts';
import { openForTest } from './open-for-test.ts';

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await testDatabase('unavailable');
  db = await openForTest(database.serviceUrl);
  const admin = new Client({ connectionString: stores().postgres });
  await admin.connect();
  const role = new URL(database.serviceUrl).username;
  await admin.query(`alter role ${role} connection limit 0`);
  await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where usename = $1', [
    role,
  ]);
  await admin.end();
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

test.each<[string, () => Promise<unknown>]>([
  ['query', () => db.query('select 1')],
  ['transaction', () => db.transaction((tx) => tx.query('select 1'))],
  ['snapshot', () => db.snapshot((sql) => sql.query('select 1'))],
  ['ping', () => db.ping()],
])('%s without a free connection is SERVICE_UNAVAILABLE and retryable', async (_, work) => {
  await expect(work()).rejects.toMatchObject({ kind: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 1 });
});
