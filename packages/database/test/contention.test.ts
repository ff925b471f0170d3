import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTelemetry } from '@pto/telemetry';
import { type TestDatabase, testDatabase } from '@pto/testing';
import { type Database, openDatabase } from '../src/index.ts';

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await testDatabase('contention');
  db = await openDatabase({
    url: database.serviceUrl,
    poolMax: 2,
    statementTimeoutMs: 1000,
    lockTimeoutMs: 1000,
    telemetry: createTelemetry({ service: 'test', write: () => {} }),
  });
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

const fail = (sqlstate: string) =>
  `do $$ begin raise exception using errcode = '${sqlstate}'; end $$`;

test.each(['40001', '40P01'])(
  'a transaction that fails with %s at each of five attempts is SERVICE_UNAVAILABLE and retryable',
  async (sqlstate) => {
    let attempts = 0;
    const work = db.transaction((tx) => {
      attempts++;
      return tx.query(fail(sqlstate));
    });
    await expect(work).rejects.toMatchObject({ kind: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 1 });
    expect(attempts).toBe(5);
  },
);
