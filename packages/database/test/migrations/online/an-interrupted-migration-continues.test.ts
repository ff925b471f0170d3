import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { until } from '@pto/testing';
import { Client } from 'pg';
import { migrate } from '../../../src/index.ts';
import { keysOf, migratedKeys, onlineDatabase, wrongRows } from './online-database.ts';
import { before, longNames, migrations, onlineNames } from './sample.ts';

const program = new URL('a-migrating-process.ts', import.meta.url).pathname;
let database: Awaited<ReturnType<typeof onlineDatabase>>;
beforeEach(async () => {
  database = await onlineDatabase();
});
afterEach(() => database.stop());

/** Starts the process. @param onStep receives the number of each migration that begins, from 1. */
const start = (onStep: (step: number, child: ChildProcess) => void = () => {}): ChildProcess => {
  const { NODE_OPTIONS, ...environment } = process.env;
  const child = spawn(process.execPath, [program], {
    env: { ...environment, MIGRATION_DATABASE_URL: database.ownerUrl },
  });
  child.stdout!.on('data', (part) => {
    for (const [, step] of String(part).matchAll(/"step":"20260102(\d+)_organizations"/g))
      onStep(Number(step), child);
  });
  return child;
};

const ended = async (child: ChildProcess): Promise<number | null> => {
  const [code] = await once(child, 'close');
  return code;
};

const migratedNames = async (): Promise<string[]> => {
  const { rows } = await database.owner.query('select name from migrations order by id');
  return rows.map(({ name }) => name);
};

test('a process that is killed leaves the rest of the migrations to the next one', async () => {
  let recorded = 1;
  for (const killedAt of [2, 5, 9]) {
    const reached: number[] = [];
    await ended(
      start((step, child) => {
        reached.push(step);
        if (step === killedAt) child.kill('SIGKILL');
      }),
    );
    // a busy machine may have ended the migration before the signal
    expect(reached[0] ?? Number.POSITIVE_INFINITY).toBeGreaterThanOrEqual(recorded);
    recorded = killedAt;
  }
  await migrate(database.ownerUrl, migrations);
  expect(await migratedNames()).toEqual([before.name, ...onlineNames]);
  expect(await keysOf(database.owner)).toEqual(migratedKeys);
  expect(await wrongRows(database.owner)).toBe(0);
  expect(await migrate(database.ownerUrl, migrations)).toEqual([]);
});

test('a long migration that took effect and was not recorded is repeated alone', async () => {
  for (const [at, { name }] of migrations.entries()) {
    await migrate(database.ownerUrl, migrations.slice(0, at + 1));
    if (!longNames.includes(name)) continue;
    await database.owner.query('delete from migrations where name = $1', [name]);
    expect(await migrate(database.ownerUrl, migrations.slice(0, at + 1))).toEqual([name]);
  }
  expect(await keysOf(database.owner)).toEqual(migratedKeys);
  expect(await wrongRows(database.owner)).toBe(0);
});

/** Waits until a session of the database waits for old snapshots, to complete its index. */
const indexWaits = async (): Promise<number> => {
  const { rows } = await until(
    async () => {
      const waiting = await database.owner.query<{ pid: number }>(
        `select pid from pg_stat_activity where datname = current_database()
         and query like 'create unique index concurrently%' and wait_event = 'virtualxid'`,
      );
      return waiting.rows.length > 0 && waiting;
    },
    { what: 'a session that waits to complete its index' },
  );
  return rows[0]!.pid;
};

/** Begins a transaction whose snapshot delays every index that is built concurrently. */
const openSnapshot = async (): Promise<Client> => {
  const reader = new Client({ connectionString: database.ownerUrl });
  await reader.connect();
  await reader.query('begin isolation level repeatable read');
  await reader.query('select 1');
  return reader;
};

test('an index that the server still builds for a killed process delays the next one', async () => {
  const reader = await openSnapshot();
  const child = start();
  const pid = await indexWaits();
  child.kill('SIGKILL');
  await ended(child);
  const next = migrate(database.ownerUrl, migrations);
  const { rows } = await database.owner.query(
    `select pid from pg_locks where locktype = 'advisory' and granted
     and database = (select oid from pg_database where datname = current_database())`,
  );
  expect(rows).toEqual([{ pid }]);
  await reader.query('commit');
  await reader.end();
  expect((await next).at(-1)).toBe(onlineNames.at(-1));
  expect(await keysOf(database.owner)).toEqual(migratedKeys);
});

test('an incomplete index of an ended session is built again', async () => {
  const reader = await openSnapshot();
  const first = migrate(database.ownerUrl, migrations).catch((error: Error) => error);
  const pid = await indexWaits();
  await database.owner.query('select pg_terminate_backend($1)', [pid]);
  expect(await first).toBeInstanceOf(Error);
  await reader.query('commit');
  await reader.end();
  expect(await keysOf(database.owner)).toContain('parts unique (parent_id, n) incomplete');
  await migrate(database.ownerUrl, migrations);
  expect(await keysOf(database.owner)).toEqual(migratedKeys);
});
