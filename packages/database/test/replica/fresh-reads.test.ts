import { createHook } from 'node:async_hooks';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { createGuards, startPostgres, startStandby } from '@pto/stores';
import { createTelemetry, type Telemetry } from '@pto/telemetry';
import { until } from '@pto/testing';
import { Client } from 'pg';
import { type Database, type FreshReads, openDatabase, openFreshReads } from '../../src/index.ts';
import { positionOf, replayed } from '../../src/replica/position.ts';

const limits = { poolMax: 4, statementTimeoutMs: 5000, lockTimeoutMs: 1000 };
const dir = mkdtempSync(join(tmpdir(), 'replica-'));
chmodSync(dir, 0o755);
const guards = createGuards(dir);

let primary: Awaited<ReturnType<typeof startPostgres>>;
let standby: Awaited<ReturnType<typeof startStandby>>;
let telemetry: Telemetry;
let db: Database;
let reads: FreshReads;
let number = 0;
const quiet = createTelemetry({ service: 'test', write: () => {} });

const as = async (superuserUrl: string, text: string): Promise<void> => {
  const client = new Client({ connectionString: superuserUrl });
  await client.connect();
  await client.query(text).finally(() => client.end());
};
/** Returns the ids of a server's lasting processes, its first process before its backends. */
const processesOf = async (superuserUrl: string): Promise<number[]> => {
  const client = new Client({ connectionString: superuserUrl });
  await client.connect();
  const found = await client
    .query<{ pid: number }>('select pid from pg_stat_activity where pid <> pg_backend_pid()')
    .finally(() => client.end());
  const backends = found.rows.map(({ pid }) => pid).filter((pid) => existsSync(`/proc/${pid}`));
  const parent = Number(
    /^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${backends[0]}/status`, 'utf8'))![1],
  );
  return [parent, ...backends];
};
const roleUrl = (superuserUrl: string): string => {
  const url = new URL(superuserUrl);
  [url.username, url.password] = ['reader', 'reader'];
  return url.href;
};

beforeAll(async () => {
  primary = await startPostgres(dir, guards);
  await as(primary.url, "create role reader login password 'reader'");
  await as(primary.url, 'grant connect on database postgres to reader');
  await as(primary.url, 'create table numbers (n int primary key); grant all on numbers to reader');
  standby = await startStandby(dir, primary.url, guards);
  telemetry = createTelemetry({ service: 'test', write: () => {} });
  db = await openDatabase({ ...limits, url: roleUrl(primary.url), telemetry });
  reads = openFreshReads(db, { ...limits, replicaUrl: roleUrl(standby.url), telemetry });
}, 60_000);
afterAll(async () => {
  await reads?.close();
  await db?.close();
  await guards.stopAll();
  rmSync(dir, { recursive: true, force: true });
});

const add = async (): Promise<number> => {
  const own = ++number;
  await db.query('insert into numbers values ($1)', [own]);
  return own;
};
const newest = () =>
  reads.fresh(async (sql) => {
    const [row] = await sql.query<{ n: number }>('select max(n) as n from numbers');
    return row!.n;
  });
/** Reads so far by the server that served them. */
const served = async (server: string): Promise<number> => {
  const { values } = await telemetry.metrics.getSingleMetric('database_fresh_reads_total')!.get();
  return values.find(({ labels }) => labels.server === server)?.value ?? 0;
};
const fromReplica = () =>
  until(
    async () => {
      const before = await served('replica');
      await newest();
      return (await served('replica')) > before;
    },
    { what: 'a read by the replica' },
  );

beforeEach(async () => {
  await add();
  await fromReplica();
});

test('each read shows what was committed before it, by the replica or the primary', async () => {
  const [before, writers] = [await served('replica'), [1, 2, 3]];
  await Promise.all(
    writers.map(async () => {
      for (let n = 0; n < 40; n++) {
        const added = await add();
        expect(await newest()).toBeGreaterThanOrEqual(added);
      }
    }),
  );
  expect(await served('replica')).toBeGreaterThan(before);
});

test('a replica that is behind serves nothing until it has caught up', async () => {
  await as(standby.url, 'select pg_wal_replay_pause()');
  const behind = await served('behind');
  try {
    const added = await add();
    expect(await newest()).toBe(added);
    expect(await served('behind')).toBe(behind + 1);
  } finally {
    await as(standby.url, 'select pg_wal_replay_resume()');
  }
  await fromReplica();
});

test('a read leaves no timer', async () => {
  const [begun, left] = [new Set<number>(), new Set<number>()];
  const hook = createHook({
    init: (id, type) => type === 'Timeout' && begun.add(id) && left.add(id),
    destroy: (id) => left.delete(id),
  });
  hook.enable();
  for (let n = 0; n < 30; n++) await newest();
  await setImmediate(); // the hook learns of an end later
  hook.disable();
  expect(begun.size).toBeGreaterThanOrEqual(30);
  expect(left.size).toBeLessThan(10); // pools have some of their own
});

test('a snapshot of several reads is of one server', async () => {
  const rows = await reads.fresh((sql) =>
    sql.snapshot(async (inside) => {
      const [first] = await inside.query<{ n: number }>('select max(n) as n from numbers');
      await add();
      const [second] = await inside.query<{ n: number }>('select max(n) as n from numbers');
      return [first!.n, second!.n];
    }),
  );
  expect(rows[0]).toBe(rows[1]);
});

test('an error of the work itself is not repeated by the primary', async () => {
  let runs = 0;
  const work = async () => {
    runs++;
    throw new TypeError('ours');
  };
  await expect(reads.fresh(work)).rejects.toThrow('ours');
  expect(runs).toBe(1);
});

test('a position of another timeline is not reached: the replica may follow another history', async () => {
  const replica = await openDatabase({ ...limits, url: roleUrl(standby.url), telemetry: quiet });
  try {
    const position = await positionOf(db);
    await until(() => replayed(replica, position), { what: 'the replica to catch up' });
    const { timeline } = position;
    expect(await replayed(replica, { ...position, timeline: timeline + 1 })).toBe(false);
  } finally {
    await replica.close();
  }
});

test('while the replica is stopped the primary serves, and afterwards the replica again', async () => {
  await standby.stop();
  const added = await add();
  expect(await newest()).toBe(added);
  expect(await served('unavailable')).toBeGreaterThan(0);
  standby = await startStandby(dir, primary.url, guards, standby.port);
  await fromReplica();
}, 60_000);

test('a replica that sends no answer delays one read a second, by half a second', async () => {
  const pids = await processesOf(standby.url);
  for (const pid of pids) process.kill(pid, 'SIGSTOP');
  try {
    await newest().catch(() => {}); // in flight at the loss
    const [begun, slow] = [performance.now(), [] as number[]];
    const reader = async () => {
      while (performance.now() - begun < 3500) {
        const at = performance.now();
        await newest();
        if (performance.now() - at >= 500) slow.push(performance.now() - at);
        await sleep(20);
      }
    };
    await Promise.all(Array.from({ length: 8 }, reader));
    expect(slow.length).toBeLessThanOrEqual(8); // each of the 8 readers, if each tried the replica: over 30
    expect(Math.max(...slow)).toBeLessThan(3000);
  } finally {
    // the server's first process last: as soon as it runs it ends other processes
    for (const pid of pids.toReversed()) process.kill(pid, 'SIGCONT');
  }
  await fromReplica();
}, 60_000);

test('a replica that was promoted serves nothing of its own history', async () => {
  await as(standby.url, 'select pg_promote(true, 20)');
  await as(standby.url, 'insert into numbers values (1000000)');
  const before = await served('replica');
  for (let n = 0; n < 20; n++) expect(await newest()).toBe(await add().then((one) => one - 1));
  expect(await served('replica')).toBe(before);
}, 60_000);
