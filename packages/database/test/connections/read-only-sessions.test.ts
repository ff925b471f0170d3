import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { stores, type TestDatabase, testDatabase, until } from '@pto/testing';
import { Client } from 'pg';
import type { Database } from '../../src/index.ts';
import { openForTest } from '../open-for-test.ts';

let database: TestDatabase;
let admin: Client;
let role: string;
let db: Database;
beforeAll(async () => {
  database = await testDatabase('demoted');
  role = new URL(database.serviceUrl).username;
  admin = new Client({ connectionString: stores().postgres });
  await admin.connect();
  const owner = new Client({ connectionString: database.ownerUrl });
  await owner.connect();
  await owner.query('create table written (n int)');
  await owner.query(`grant insert on written to ${role}`);
  await owner.end();
  db = await openForTest(database.serviceUrl);
});
afterAll(async () => {
  await db.close();
  await admin.end();
  await database.drop();
});

const sessions = async (): Promise<number> => {
  const { rows } = await admin.query(
    'select count(*)::int from pg_stat_activity where usename = $1 and backend_type = $2',
    [role, 'client backend'],
  );
  return rows[0].count;
};
const demote = async () => {
  await admin.query(`alter role ${role} set default_transaction_read_only = on`);
  await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where usename = $1', [
    role,
  ]);
  // each session that was ended while it was idle may be handed out once
  const isNoticed = () => Promise.all([db.ping('reads'), db.ping('reads')]);
  await until(isNoticed, { what: 'new sessions' });
};
const promote = () => admin.query(`alter role ${role} reset default_transaction_read_only`);
afterEach(promote);

const write = () => db.query('insert into written values (1)');

test('a write to a read-only database is SERVICE_UNAVAILABLE and retryable', async () => {
  await demote();
  await expect(write()).rejects.toMatchObject({
    kind: 'SERVICE_UNAVAILABLE',
    retryAfterSeconds: 1,
  });
  await expect(
    db.transaction((tx) => tx.query('insert into written values (1)')),
  ).rejects.toMatchObject({ kind: 'SERVICE_UNAVAILABLE' });
});

test('no session that was opened meanwhile is used after the database accepts writes', async () => {
  await demote();
  const reads = await Promise.all([1, 2, 3, 4].map(() => db.query('select 1')));
  expect(reads).toHaveLength(4);
  await promote();
  for (let n = 0; n < 4; n++) await write();
});

test('the ping for writers says that the database accepts none, and the one for readers does not', async () => {
  await db.ping();
  await demote();
  await db.ping('reads');
  await expect(db.ping()).rejects.toMatchObject({
    kind: 'SERVICE_UNAVAILABLE',
    message: 'The database accepts no writes right now.',
  });
  await promote();
  await db.ping();
});

test('a session that accepts writes stays in the pool', async () => {
  await write();
  const before = await admin.query('select pid from pg_stat_activity where usename = $1', [role]);
  await write();
  expect(await sessions()).toBe(before.rows.length);
  expect(before.rows).toContainEqual((await db.query('select pg_backend_pid() as pid'))[0]);
});
