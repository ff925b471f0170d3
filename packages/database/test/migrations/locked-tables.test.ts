import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type TestDatabase, testDatabase, until } from '@pto/testing';
import { Client } from 'pg';
import { migrate, sqlMigration } from '../../src/index.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase('locked');
});
afterAll(() => database.drop());

const connected = async (url: string, timeoutMs = 0): Promise<Client> => {
  const client = new Client({ connectionString: url, statement_timeout: timeoutMs });
  await client.connect();
  return client;
};

test('a migration that does not get the lock of a table holds up no statement, and is tried again', async () => {
  const first = sqlMigration('20260101000000_first', ['create table things (n int)']);
  const second = sqlMigration('20260102000000_second', ['alter table things add column m int']);
  await migrate(database.ownerUrl, [first]);
  const reader = await connected(database.serviceUrl);
  await reader.query('begin');
  await reader.query('select from things');
  const migrating = migrate(database.ownerUrl, [first, second]);
  const owner = await connected(database.ownerUrl);
  const isWaiting = async () =>
    (
      await owner.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
    ).rows.length > 0;
  await until(isWaiting, { what: 'a migration that waits for the lock' });
  const writer = await connected(database.serviceUrl, 3000);
  await writer.query('insert into things values (1)');
  await reader.query('commit');
  expect(await migrating).toEqual(['20260102000000_second']);
  await Promise.all([reader.end(), writer.end(), owner.end()]);
});
