import { beforeAll, expect, test } from '@jest/globals';
import { type TestDatabase, testDatabase } from '@pto/testing';
import { openForTest } from './open-for-test.ts';

let at: TestDatabase;
beforeAll(async () => {
  at = await testDatabase('close');
});

test('a close waits for queries that still wait for a connection, and they are answered', async () => {
  for (let n = 0; n < 10; n++) {
    const db = await openForTest(at.serviceUrl);
    const queries = [1, 2, 3, 4, 5, 6].map((value) => db.query('select $1::int as value', [value]));
    await db.close();
    expect(await Promise.all(queries)).toEqual([1, 2, 3, 4, 5, 6].map((value) => [{ value }]));
  }
}, 20_000);

test('a query after the close is SERVICE_UNAVAILABLE, and a second close does nothing', async () => {
  const db = await openForTest(at.serviceUrl);
  await db.close();
  await db.close();
  const ends = { kind: 'SERVICE_UNAVAILABLE', message: 'This process is ending.' };
  await expect(db.query('select 1')).rejects.toMatchObject(ends);
  await expect(db.ping()).rejects.toMatchObject(ends);
});
