import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { migrate, uuidv7 } from '@pto/database';
import { type TestDatabase, testDatabase, until } from '@pto/testing';
import { Client } from 'pg';
import { organizationKeys } from '../../migrations/20261128030000_organization_keys.ts';
import { migrations } from '../../migrations/index.ts';
import { attempt, createEndpoint, deleteEndpoint, enqueue, nameReplay } from './old-release.ts';

const before = migrations.slice(0, migrations.indexOf(organizationKeys));

let database: TestDatabase;
let owner: Client;
beforeAll(async () => {
  database = await testDatabase('before');
  await migrate(database.ownerUrl, before);
  owner = new Client(database.ownerUrl);
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await database.drop();
});

/** Number of rows whose organization is not that of their endpoint or delivery, by table. */
const wrongRows = async (): Promise<Record<string, number>> => {
  const wrong: Record<string, number> = {};
  for (const [table, parents, by] of [
    ['endpoint_secrets', 'endpoints', 'endpoint_id'],
    ['endpoint_sequences', 'endpoints', 'endpoint_id'],
    ['pending_deliveries', 'deliveries', 'delivery_id'],
    ['attempts', 'deliveries', 'delivery_id'],
    ['named_replays', 'deliveries', 'replayed_id'],
  ] as const) {
    const { rows } = await owner.query<{ all: number; wrong: number }>(
      `select count(*)::int as all, count(*) filter (where c.organization_id is distinct from
         p.organization_id)::int as wrong from ${table} c left join ${parents} p on p.id = c.${by}`,
    );
    expect(rows[0]!.all).toBeGreaterThan(0);
    wrong[table] = rows[0]!.wrong;
  }
  return wrong;
};

const none = {
  endpoint_secrets: 0,
  endpoint_sequences: 0,
  pending_deliveries: 0,
  attempts: 0,
  named_replays: 0,
};

/** Writes as the release before does, until it is stopped. */
const startWriter = async () => {
  const client = new Client(database.serviceUrl);
  await client.connect();
  let [stopped, writes, names] = [false, 0, 0];
  const write = async () => {
    while (!stopped) {
      const endpoint = await createEndpoint(client);
      const [left, attempted] = [await enqueue(client, endpoint), await enqueue(client, endpoint)];
      await attempt(client, attempted);
      names += await nameReplay(client, left);
      if (writes % 2 === 1) await deleteEndpoint(client, endpoint);
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
      expect(names).toBe(writes);
    },
  };
};

/** The migration, whose every step waits for writes of the writers after it. */
const watched = (writes: () => number) => ({
  ...organizationKeys,
  steps: organizationKeys.steps.map((step) => ({
    ...step,
    run: async (...given: Parameters<typeof step.run>) => {
      await step.run(...given);
      const wanted = writes() + 2;
      await until(() => writes() >= wanted, { what: `writes after "${step.what}"` });
    },
  })),
});

test('the release before writes at each step of the migration, and its rows get their organization', async () => {
  await owner.query(
    `insert into attempts (delivery_id, number, at, duration_ms) values ($1, 1, now(), 1)`,
    [uuidv7()],
  );
  const writers = await Promise.all([startWriter(), startWriter()]);
  const writes = () => Math.min(...writers.map((writer) => writer.writes()));
  await until(() => writes() > 20, { what: 'rows before the migration' });
  await migrate(database.ownerUrl, [...before, watched(writes)]);
  for (const writer of writers) await writer.stop();
  expect(await wrongRows()).toEqual(none);
}, 120_000);

test('a child row of another organization than its endpoint is rejected', async () => {
  await expect(
    owner.query('update endpoint_secrets set organization_id = gen_random_uuid()'),
  ).rejects.toMatchObject({ code: '23503', constraint: 'endpoint_secrets_endpoint_id_fkey' });
});

test('the deletion of an endpoint deletes its secrets, its stream and its key', async () => {
  const endpoint = await createEndpoint(owner);
  const rows = async () => {
    const counts = ['endpoint_secrets', 'endpoint_sequences', 'endpoint_creations'].map(
      (table) => `(select count(*) from ${table} where endpoint_id = $1)`,
    );
    const found = await owner.query(`select (${counts.join(' + ')})::int as n`, [endpoint.id]);
    return found.rows[0].n;
  };
  expect(await rows()).toBe(3);
  await deleteEndpoint(owner, endpoint);
  expect(await rows()).toBe(0);
});
