import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { testDatabase } from '@pto/testing';
import { type Database, withoutSequentialScans } from '../src/index.ts';
import { openForTest } from './open-for-test.ts';

let owner: Database;
beforeAll(async () => {
  const { ownerUrl } = await testDatabase('database');
  owner = await openForTest(ownerUrl, { session: withoutSequentialScans });
  await owner.query('create table parents (id int primary key)');
  await owner.query('create table children (parent_id int not null references parents)');
});
afterAll(() => owner.close());

/** The parents that this transaction has read by sequential scans. */
const scannedParents = `select pg_stat_get_xact_tuples_returned('parents'::regclass)::int as n`;

test('a session that checked a foreign key while the table was small scans nothing when it has grown', async () => {
  await owner.query('vacuum analyze parents, children'); // statistics of two empty tables
  const scanned = await owner.transaction(async (tx) => {
    await tx.query('insert into parents values (1)');
    // after five executions PostgreSQL keeps one plan for the check
    for (let n = 0; n < 10; n++) await tx.query('insert into children values (1)');
    await tx.query('insert into parents select generate_series(2, 1000)');
    await tx.query('insert into children select generate_series(2, 1000)');
    const [row] = await tx.query<{ n: number }>(scannedParents);
    return row!.n;
  });
  expect(scanned).toBe(0);
});
