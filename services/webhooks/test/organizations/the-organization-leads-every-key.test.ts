import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { migrate, uuidv7 } from '@pto/database';
import { judgeSchema, schemaFacts, type TestDatabase, testDatabase } from '@pto/testing';
import { Client } from 'pg';
import { migrations } from '../../migrations/index.ts';
import { schemaExceptions } from './exceptions.ts';

let database: TestDatabase;
let owner: Client;
beforeAll(async () => {
  database = await testDatabase('keys');
  await migrate(database.ownerUrl, migrations);
  owner = new Client({ connectionString: database.ownerUrl });
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await database.drop();
});

test('the organization leads every key', async () => {
  expect(judgeSchema(await schemaFacts(owner), schemaExceptions)).toEqual([]);
});

/** Creates an endpoint with a secret, a stream and the key of its creation. @returns its id. */
const createEndpoint = async (): Promise<string> => {
  const ids = [randomUUID(), uuidv7()];
  for (const statement of [
    `endpoints (organization_id, id, url, status) values ($1, $2, 'https://x', 'ENABLED')`,
    'endpoint_sequences (organization_id, endpoint_id) values ($1, $2)',
    `endpoint_secrets (organization_id, endpoint_id, id, sealing_key, sealed)
     values ($1, $2, $2, 'k1', '')`,
    `endpoint_creations (organization_id, endpoint_id, key, body_sha256, finish_by)
     values ($1, $2, 'k', '', now())`,
  ])
    await owner.query(`insert into ${statement}`, ids);
  return ids[1]!;
};

const parts = ['endpoint_creations', 'endpoint_secrets', 'endpoint_sequences'];

test.each(parts)(
  'a row of %s with another organization than its endpoint is rejected',
  async (table) => {
    const id = await createEndpoint();
    await expect(
      owner.query(
        `update ${table} set organization_id = gen_random_uuid() where endpoint_id = $1`,
        [id],
      ),
    ).rejects.toMatchObject({ code: '23503', constraint: `${table}_endpoint_id_fkey` });
  },
);

test('the deletion of an endpoint deletes its secrets, its stream and its key', async () => {
  const id = await createEndpoint();
  const counts = parts.map((table) => `(select count(*) from ${table} where endpoint_id = $1)`);
  const rows = async () =>
    (await owner.query(`select (${counts.join(' + ')})::int as n`, [id])).rows[0].n;
  expect(await rows()).toBe(3);
  await owner.query('delete from endpoints where id = $1', [id]);
  expect(await rows()).toBe(0);
});
