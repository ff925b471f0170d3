import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type TestDatabase, testDatabase } from '@pto/testing';
import type { Database } from '../src/index.ts';
import { openForTest } from './open-for-test.ts';

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await testDatabase('contention');
  db = await openForTest(database.serviceUrl);
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
