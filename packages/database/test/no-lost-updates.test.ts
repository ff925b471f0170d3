import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Failure, privateCause } from '@pto/errors';
import { createTelemetry } from '@pto/telemetry';
import { type TestDatabase, testDatabase, until } from '@pto/testing';
import { Client } from 'pg';
import { type Database, migrate, openDatabase, sqlMigration } from '../src/index.ts';

let database: TestDatabase;
let db: Database;
/** For whom others may hold a row until the server has seen a deadlock, a second each time. */
let patient: Database;
beforeAll(async () => {
  database = await testDatabase('transactions');
  await migrate(database.ownerUrl, [
    sqlMigration('20260101000000_accounts', [
      'create table accounts (id int primary key, balance int not null)',
      'insert into accounts values (1, 0), (2, 0)',
    ]),
  ]);
  const open = (statementTimeoutMs: number) =>
    openDatabase({
      url: database.serviceUrl,
      poolMax: 10,
      statementTimeoutMs,
      lockTimeoutMs: statementTimeoutMs,
      telemetry: createTelemetry({ service: 'test', write: () => {} }),
    });
  [db, patient] = await Promise.all([open(3000), open(30_000)]);
});
afterAll(async () => {
  await Promise.all([db.close(), patient.close()]);
  await database.drop();
});

const balances = async () =>
  (await db.query<{ balance: number }>('select balance from accounts order by id')).map(
    (row) => row.balance,
  );

test('a deadlock is undone and tried again, until both have done their work', async () => {
  const add = (first: number, second: number) =>
    patient.transaction(async (tx) => {
      await tx.query('update accounts set balance = balance + 1 where id = $1', [first]);
      await tx.query('select pg_sleep(0.05)');
      await tx.query('update accounts set balance = balance + 1 where id = $1', [second]);
    });
  await Promise.all([add(1, 2), add(2, 1), add(1, 2), add(2, 1)]);
  expect(await balances()).toEqual([4, 4]);
}, 60_000);

test('what throws inside is undone', async () => {
  const before = await balances();
  const failing = db.transaction(async (tx) => {
    await tx.query('update accounts set balance = 99');
    throw new Failure('NOT_FOUND', 'no');
  });
  await expect(failing).rejects.toMatchObject({ kind: 'NOT_FOUND' });
  expect(await balances()).toEqual(before);
});

test('a statement or a lock that takes too long is DEADLINE_EXCEEDED', async () => {
  const expected = { kind: 'DEADLINE_EXCEEDED', retryAfterSeconds: 1 };
  await expect(db.query('select pg_sleep(5)')).rejects.toMatchObject(expected);
  const text = "set local lock_timeout = '10ms'; update accounts set balance = 0 where id = 1";
  await patient.transaction(async (tx) => {
    await tx.query('select 1 from accounts where id = 1 for update');
    await expect(db.query(text)).rejects.toMatchObject(expected);
  });
});

test('a lost connection is SERVICE_UNAVAILABLE', async () => {
  const superuser = new Client({ connectionString: database.superuserUrl });
  await superuser.connect();
  const cut = db.transaction(async (tx) => {
    const [row] = await tx.query<{ pid: number }>('select pg_backend_pid() as pid');
    await superuser.query('select pg_terminate_backend($1)', [row?.pid]);
    await tx.query('select 1');
  });
  await expect(cut).rejects.toMatchObject({ kind: 'SERVICE_UNAVAILABLE' });
  await superuser.end();
  // the pool may not have heard of the end yet
  await until(() => db.ping().then(() => true), { what: 'a connection that was not cut' });
});

test('a password that is not the role’s any more is SERVICE_UNAVAILABLE until it is again', async () => {
  const { username, password } = new URL(database.serviceUrl);
  const superuser = new Client({ connectionString: database.superuserUrl });
  await superuser.connect();
  const setTo = (text: string) =>
    superuser.query(`alter role ${username} password ${superuser.escapeLiteral(text)}`);
  await setTo('another');
  await superuser.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where usename = $1',
    [username],
  );
  const refused = () =>
    db.query('select 1').then(
      () => null,
      (error) => error,
    );
  const error = await until(
    async () => {
      const found = await refused();
      return found && /password/.test(String(privateCause(found))) && found;
    },
    { what: 'a refused password' },
  );
  expect(error).toMatchObject({ kind: 'SERVICE_UNAVAILABLE' });
  await setTo(decodeURIComponent(password));
  await until(() => db.ping().then(() => true), { what: 'the role again' });
  await superuser.end();
});
