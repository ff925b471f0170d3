/** A role whose password is replaced, or which has no more connections, while the process has some. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { createTelemetry, type Telemetry } from '@pto/telemetry';
import { stores, type TestDatabase, testDatabase, until } from '@pto/testing';
import { Client } from 'pg';
import { type Database, openDatabase } from '../../src/index.ts';

/** More than the two that a process opens when it starts. */
const poolMax = 6;
const busyCount = 3;

let database: TestDatabase;
let admin: Client;
let role: URL;
let db: Database;
let telemetry: Telemetry;
beforeAll(async () => {
  database = await testDatabase('refused');
  role = new URL(database.serviceUrl);
  admin = new Client({ connectionString: stores().postgres });
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await database.drop();
});
beforeEach(async () => {
  telemetry = createTelemetry({ service: 'test', write: () => {} });
  db = await openDatabase({
    ...{ url: database.serviceUrl, poolMax, statementTimeoutMs: 2000, lockTimeoutMs: 2000 },
    telemetry,
  });
});
afterEach(async () => {
  await db.close();
});

const setPassword = (text: string) =>
  admin.query(`alter role ${role.username} password ${admin.escapeLiteral(text)}`);
const refuse = {
  password: () => setPassword('the next one'),
  limit: () => admin.query(`alter role ${role.username} connection limit ${busyCount}`),
} as const;
const accept = async () => {
  await setPassword(decodeURIComponent(role.password));
  await admin.query(`alter role ${role.username} connection limit -1`);
};
afterEach(accept);

const are = (state: 'busy' | 'waiting', count: number) => async () => {
  const text = await telemetry.metrics.getSingleMetricAsString('database_pool_connections');
  return new RegExp(`state="${state}"[^}]*} ${count}$`, 'm').test(text);
};

const sessions = async (): Promise<number> => {
  const { rows } = await admin.query(
    'select count(*)::int from pg_stat_activity where usename = $1 and backend_type = $2',
    [role.username, 'client backend'],
  );
  return rows[0].count;
};

test.each([['password'], ['limit']] as const)(
  'calls wait for the connections that the process has while new ones are refused: %s',
  async (of) => {
    const isIdle = async () => (await are('busy', 0)()) && (await are('waiting', 0)());
    await until(isIdle, { what: 'the first comparison of the clocks' });
    const held = Promise.withResolvers<void>();
    let begun = 0;
    const busy = Array.from({ length: busyCount }, () =>
      db.transaction(() => {
        begun++;
        return held.promise;
      }),
    );
    await until(async () => begun === busy.length, { what: 'all connections in use' });
    await refuse[of]();
    const waiting = Array.from({ length: 20 }, () => db.query('select 1 as one'));
    // and none tries again and again
    const stay = async () => {
      for (let n = 0; n < 10; n++) {
        await sessions();
        if (!(await are('waiting', waiting.length)())) return false;
      }
      return true;
    };
    await until(stay, { what: 'calls that wait' }).finally(held.resolve);
    expect(await Promise.all(waiting)).toEqual(waiting.map(() => [{ one: 1 }]));
    await Promise.all(busy);
    await accept();
    await until(
      async () => {
        await Promise.all(Array.from({ length: poolMax }, () => db.query('select pg_sleep(0.1)')));
        return (await sessions()) === poolMax;
      },
      { what: 'the whole pool again' },
    );
  },
);

test('without a connection of its own the process says at once that the database is unavailable', async () => {
  await refuse.password();
  await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where usename = $1', [
    role.username,
  ]);
  await until(async () => (await sessions()) === 0, { what: 'the ended sessions' });
  const failed = () => db.query('select 1').catch((error) => error);
  // a session that was ended while it was idle may be handed out once
  await Promise.all([failed(), failed()]);
  expect(await failed()).toMatchObject({ kind: 'SERVICE_UNAVAILABLE' });
});
