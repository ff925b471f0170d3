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

test("an order's locations and files are those of its organization", async () => {
  const [organizationId, locationId, orderId] = [randomUUID(), uuidv7(), uuidv7()];
  await owner.query(
    `insert into locations (organization_id, id, label, street, zip, city, country, address_key,
       created_via_api)
     values ($1, $2, 'L', 'S 1', '10117', 'Berlin', 'DE', '', true)`,
    [organizationId, locationId],
  );
  await owner.query(
    `insert into orders (organization_id, id, status, sla, source, pickup_location_id,
       dropoff_location_id, pickup_window_start, items, item_count)
     values ($1, $2, 'SUBMITTED', 'EXPRESS', 'partner_api', $3, $3, now(), '[]', 0)`,
    [organizationId, orderId, locationId],
  );
  await owner.query(
    `insert into artifacts (organization_id, order_id, sha256, media_type, personal, expires_at)
     values ($1, $2, repeat('a', 64), 'text/csv', false, now())`,
    [organizationId, orderId],
  );
  for (const [statement, constraint] of [
    [
      'orders set organization_id = gen_random_uuid() where id',
      /orders_(pickup|dropoff)_location|artifacts_order/,
    ],
    ['artifacts set organization_id = gen_random_uuid() where order_id', /artifacts_order_fkey/],
  ] as const)
    await expect(owner.query(`update ${statement} = $1`, [orderId])).rejects.toMatchObject({
      code: '23503',
      constraint: expect.stringMatching(constraint),
    });
});
