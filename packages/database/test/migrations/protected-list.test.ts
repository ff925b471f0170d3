import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type TestDatabase, testDatabase } from '@pto/testing';
import { Client } from 'pg';
import { migrate, sqlMigration } from '../../src/migrations/migrate.ts';

const first = sqlMigration('20260101000000_first', ['create table secrets (id int)']);
const second = sqlMigration('20260102000000_second', [
  'revoke all on secrets from public',
  'create table more (id int)',
]);
let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase('listed');
});
afterAll(() => database.drop());

const run = async (url: string, statement: string): Promise<unknown[]> => {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
};

test("a service's role cannot have a migration skipped or repeated", async () => {
  await migrate(database.ownerUrl, [first]);
  for (const statement of [
    `insert into migrations (name) values ('20260102000000_second')`,
    'delete from migrations',
    `update migrations set name = 'x'`,
    'truncate migrations',
  ])
    for (const url of [database.serviceUrl, database.readerUrl, database.operatorsUrl])
      await expect(run(url, statement)).rejects.toMatchObject({ code: '42501' });
  expect(await migrate(database.ownerUrl, [first, second])).toEqual(['20260102000000_second']);
});

test('a right that an earlier version granted is taken by the next migration', async () => {
  const role = new URL(database.serviceUrl).username;
  await run(database.ownerUrl, `grant all on migrations to ${role}`);
  await migrate(database.ownerUrl, [first, second]);
  await expect(run(database.serviceUrl, 'delete from migrations')).rejects.toMatchObject({
    code: '42501',
  });
  expect(await run(database.serviceUrl, 'select * from migrations')).toHaveLength(2);
});
