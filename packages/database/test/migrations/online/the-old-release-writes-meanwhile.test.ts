import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { until } from '@pto/testing';
import { Client } from 'pg';
import { migrate, uuidv7 } from '../../../src/index.ts';
import { keysOf, migratedKeys, onlineDatabase, wrongRows } from './online-database.ts';
import { migrations, onlineNames } from './sample.ts';

let database: Awaited<ReturnType<typeof onlineDatabase>>;
beforeAll(async () => {
  database = await onlineDatabase();
});
afterAll(() => database.stop());

/** What the release before sends: it does not know the column. */
const insertPart =
  'insert into parts (parent_id, n, text) values ($1, $2, null) on conflict (parent_id, n) do nothing';
const upsertPart =
  'insert into parts (parent_id, n) values ($1, $2) on conflict (parent_id, n) do update set text = $3';
const insertDay = 'insert into days (id, parent_id) values ($1, $2) on conflict (id) do nothing';
const updateDay = 'update days set parent_id = $2 where id = $1';

/** Writes until it is stopped. @returns the writer. */
const startWriter = async (first: number) => {
  const client = new Client({ connectionString: database.serviceUrl, statement_timeout: 3000 });
  await client.connect();
  let [stopped, writes] = [false, 0];
  const write = async () => {
    for (let n = first; !stopped; n++) {
      const parent = database.parents[n % database.parents.length]!;
      const day = uuidv7();
      await client.query({ name: 'part', text: insertPart, values: [parent, n] });
      await client.query({ name: 'upsert', text: upsertPart, values: [parent, n, `${n}`] });
      await client.query({ name: 'day', text: insertDay, values: [day, parent] });
      await client.query({ name: 'moved', text: updateDay, values: [day, parent] });
      writes++;
    }
  };
  const written = write();
  written.catch(() => {}); // `stop` rejects with it
  return {
    writes: () => writes,
    stop: async () => {
      stopped = true;
      await written;
      await client.end();
    },
  };
};

test('statements of the release before run after each migration', async () => {
  const writers = await Promise.all([1000, 1_000_000].map(startWriter));
  const writes = () => Math.min(...writers.map((writer) => writer.writes()));
  for (const at of migrations.keys()) {
    await migrate(database.ownerUrl, migrations.slice(0, at + 1));
    const before = writes();
    await until(() => writes() > before + 2, { what: 'writes after this migration' });
  }
  for (const writer of writers) await writer.stop();
  expect(await wrongRows(database.owner)).toBe(0);
  expect(await keysOf(database.owner)).toEqual(migratedKeys);
});

test('a second migrator waits for the first, also while it builds an index', async () => {
  const other = await onlineDatabase();
  const runs = await Promise.all([1, 2, 3].map(() => migrate(other.ownerUrl, migrations)));
  expect(runs.flat()).toEqual(onlineNames);
  await other.stop();
});
