import { spawn } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { stores, type TestDatabase, testDatabase, uniqueName } from '@pto/testing';
import { Client } from 'pg';
import { dropDatabase } from '../../src/migrations/provision.ts';

const program = new URL('../a-migrating-process.ts', import.meta.url).pathname;
let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase('jobs');
});
afterAll(() => database.drop());

/** Runs the process to its end. */
const job = (environment: Record<string, string>) => {
  const { NODE_OPTIONS, ...rest } = process.env;
  const child = spawn(process.execPath, [program], { env: { ...rest, ...environment } });
  let output = '';
  child.stdout.on('data', (part) => {
    output += part;
  });
  return new Promise<{ code: number | null; output: string }>((resolve) =>
    child.once('close', (code) => resolve({ code, output })),
  );
};

const tables = async (url: string): Promise<string[]> => {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(
    `select tablename from pg_tables where schemaname = 'public' order by 1`,
  );
  await client.end();
  return rows.map((row) => row.tablename);
};

test('of two at once one migrates, and both end well', async () => {
  const environment = { MIGRATION_DATABASE_URL: database.ownerUrl };
  const jobs = await Promise.all([job(environment), job(environment)]);
  expect(jobs.map(({ code }) => code)).toEqual([0, 0]);
  const ran = jobs.filter(({ output }) => output.includes('"migrations":["20260101000000_first"]'));
  expect(ran).toHaveLength(1);
  expect(await tables(database.ownerUrl)).toEqual(['first', 'migrations']);
});

test('one that fails ends with 1, says why, and nothing of it is there', async () => {
  const { code, output } = await job({ MIGRATION_DATABASE_URL: database.ownerUrl, BREAKS: '1' });
  expect(code).toBe(1);
  expect(output).toMatch(/"level":"fatal".*no_such_column/);
  expect(await tables(database.ownerUrl)).toEqual(['first', 'migrations']);
});

test("with an administrator's URL it makes database and roles first, as often as it runs", async () => {
  const admin = new URL(stores().postgres);
  const name = uniqueName('made');
  const of = (role: string) => {
    const url = new URL(admin);
    url.pathname = `/${name}`;
    url.username = `${name}_${role}`;
    url.password = `${role}%20secret`;
    return url.href;
  };
  const environment = {
    ADMIN_DATABASE_URL: admin.href,
    MIGRATION_DATABASE_URL: of('owner'),
    DATABASE_URL: of('service'),
    READER_DATABASE_URL: of('reader'),
  };
  try {
    for (const _ of ['new', 'there']) {
      const { code, output } = await job(environment);
      expect(code).toBe(0);
      expect(output).not.toContain('secret');
    }
    for (const role of ['service', 'reader']) expect(await tables(of(role))).toContain('first');
  } finally {
    await dropDatabase(admin.href, name);
  }
});

test('without the settings that it needs it ends with 78', async () => {
  expect((await job({ MIGRATION_DATABASE_URL: '' })).code).toBe(78);
  const lonely = {
    MIGRATION_DATABASE_URL: database.ownerUrl,
    ADMIN_DATABASE_URL: database.ownerUrl,
  };
  expect((await job(lonely)).code).toBe(78);
});
