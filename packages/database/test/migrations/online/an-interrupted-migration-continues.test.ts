import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { until } from '@pto/testing';
import { Client, type ClientBase } from 'pg';
import { migrate } from '../../../src/index.ts';
import { keysOf, migratedKeys, onlineDatabase, wrongRows } from './online-database.ts';
import { before, migrations, online } from './sample.ts';

const program = new URL('a-migrating-process.ts', import.meta.url).pathname;
let database: Awaited<ReturnType<typeof onlineDatabase>>;
beforeEach(async () => {
  database = await onlineDatabase();
});
afterEach(() => database.stop());

/** Starts the process. @param onStep receives the number of each step that begins. */
const start = (onStep: (step: number, child: ChildProcess) => void = () => {}): ChildProcess => {
  const { NODE_OPTIONS, ...environment } = process.env;
  const child = spawn(process.execPath, [program], {
    env: { ...environment, MIGRATION_DATABASE_URL: database.ownerUrl },
  });
  child.stdout!.on('data', (part) => {
    for (const [, step] of String(part).matchAll(/"step":"\d+_organizations step (\d+) of/g))
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

test('a process that is killed leaves the rest of the steps to the next one', async () => {
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
  expect(await migratedNames()).toEqual([before.name, online.name]);
  expect(await keysOf(database.owner)).toEqual(migratedKeys);
  expect(await wrongRows(database.owner)).toBe(0);
  expect(await migrate(database.ownerUrl, migrations)).toEqual([]);
});

test('a step that took effect and was not recorded is repeated alone', async () => {
  for (const [index, step] of online.steps.entries()) {
    const lines: string[] = [];
    const interrupted = {
      ...step,
      run: (client: ClientBase) => step.run(client, () => Promise.reject(new Error('interrupted'))),
    };
    const steps = online.steps.with(index, interrupted);
    await expect(
      migrate(database.ownerUrl, [before, { ...online, steps }], (line) => lines.push(line)),
    ).rejects.toThrow('interrupted');
    const first = Math.max(index, 1); // the step before ran, because it was not recorded
    expect(lines.map((line) => Number(/ step (\d+) of /.exec(line)![1]))).toEqual(
      index === 0 ? [1] : [first, first + 1],
    );
  }
  await migrate(database.ownerUrl, migrations);
  expect(await migratedNames()).toEqual([before.name, online.name]);
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
  expect(await next).toEqual([online.name]);
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
  expect(await migrate(database.ownerUrl, migrations)).toEqual([online.name]);
  expect(await keysOf(database.owner)).toEqual(migratedKeys);
});
