import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { leastUuid, migrate, uuidv7 } from '@pto/database';
import { type TestDatabase, testDatabase } from '@pto/testing';
import { Client } from 'pg';
import { organizationKeys } from '../../migrations/20261128140000_organization_keys.ts';
import { migrations } from '../../migrations/index.ts';

let database: TestDatabase;
let owner: Client;
let service: Client;
beforeAll(async () => {
  database = await testDatabase('before');
  await migrate(database.ownerUrl, migrations.slice(0, migrations.indexOf(organizationKeys)));
  owner = new Client(database.ownerUrl);
  service = new Client(database.serviceUrl);
  await Promise.all([owner.connect(), service.connect()]);
});
afterAll(async () => {
  await Promise.all([owner.end(), service.end()]);
  await database.drop();
});

const organizationId = randomUUID();
const sha256 = 'a'.repeat(64);

/** The tables whose rows the release before writes without their organization. */
const tables = [
  ...['artifacts', 'disclosures', 'done_commands', 'entry_operators', 'integrity_violations'],
  ...['produced_events', 'unreported_events'],
];

/** Writes one row of each table, as the release before does, and some again. */
const writeAsBefore = async (): Promise<{ orderId: string; commandId: string }> => {
  const [locationId, orderId, commandId] = [uuidv7(), uuidv7(), randomUUID()];
  await service.query(
    `insert into locations (id, organization_id, label, street, zip, city, country, address_key,
       created_via_api)
     values ($1, $2, 'L', 'S 1', '10117', 'Berlin', 'DE', $3, true)
     on conflict (organization_id, address_key) do nothing`,
    [locationId, organizationId, Buffer.from(locationId)],
  );
  await service.query(
    `insert into orders (id, organization_id, status, sla, source, pickup_location_id,
       dropoff_location_id, pickup_window_start, items, item_count)
     values ($1, $2, 'SUBMITTED', 'EXPRESS', 'partner_api', $3, $3, now(), '[]', 0)
     on conflict (organization_id, external_id) do nothing`,
    [orderId, organizationId, locationId],
  );
  for (const statement of [
    `insert into produced_events (order_id, sequence, digest) values ($1, 1, sha256('d'))`,
    'insert into unreported_events (order_id, sequence) values ($1, 1)',
    `insert into disclosures (order_id, sequence, field, value, salt)
     values ($1, 1, 'driver', '"D"', repeat('0', 64))`,
    `insert into entry_operators (order_id, sequence, operator) values ($1, 1, 'Ada')`,
  ])
    await service.query(statement, [orderId]);
  for (const _ of ['new', 'again']) {
    await service.query(
      `insert into artifacts (order_id, sha256, media_type, personal, expires_at)
       values ($1, $2, 'text/csv', false, now() + interval '1 day')
       on conflict (order_id, sha256) do update set expires_at = excluded.expires_at`,
      [orderId, sha256],
    );
    await service.query(
      `insert into done_commands (id, order_id, request_sha256) values ($1, $2, sha256('r'))
       on conflict (id) do nothing`,
      [commandId, orderId],
    );
    await service.query(
      `insert into integrity_violations (id, order_id, entry_id, reason)
       values (gen_random_uuid(), $1, 'e', 'r')
       on conflict (order_id, entry_id, md5(reason)) where resolved_at is null
       do update set last_found_at = clock_timestamp()`,
      [orderId],
    );
  }
  return { orderId, commandId };
};

/** Returns the organizations of the rows of an order, by table. */
const organizationsOf = async (orderId: string): Promise<Record<string, string[]>> => {
  const found: Record<string, string[]> = {};
  for (const table of tables) {
    const { rows } = await owner.query<{ id: string }>(
      `select organization_id as id from ${table} where order_id = $1`,
      [orderId],
    );
    found[table] = rows.map(({ id }) => id);
  }
  return found;
};

const allFilled = Object.fromEntries(tables.map((table) => [table, [organizationId]]));

test('rows of the release before get their organization, before the migration and after it', async () => {
  const before = await writeAsBefore();
  await service.query(
    `insert into integrity_violations (id, order_id, entry_id, reason) values
       (gen_random_uuid(), null, '', 'of the log'), (gen_random_uuid(), $1, '', 'of no order')`,
    [uuidv7()],
  );
  await migrate(database.ownerUrl, migrations);
  expect(await organizationsOf(before.orderId)).toEqual(allFilled);
  const after = await writeAsBefore();
  expect(await organizationsOf(after.orderId)).toEqual(allFilled);
  const { rows } = await owner.query(
    'select organization_id as id from integrity_violations where reason like $1',
    ['of %'],
  );
  expect(rows).toEqual([{ id: leastUuid }, { id: leastUuid }]);
});

test('rows that are never changed are not changed by their owner after the migration', async () => {
  for (const [table, text] of [
    ['produced_events', 'the digests of produced events are never changed or removed'],
    ['disclosures', 'disclosed values are erased, never changed'],
  ] as const)
    await expect(
      owner.query(`update ${table} set organization_id = gen_random_uuid()`),
    ).rejects.toThrow(text);
  await expect(owner.query('delete from produced_events')).rejects.toThrow('never changed');
});

test("an order's locations and files are those of its organization", async () => {
  const { orderId } = await writeAsBefore();
  for (const [statement, constraint] of [
    [
      'update orders set organization_id = gen_random_uuid()',
      /orders_(pickup|dropoff)_location|artifacts_order/,
    ],
    ['update artifacts set organization_id = gen_random_uuid()', /artifacts_order_fkey/],
  ] as const)
    await expect(
      owner.query(
        `${statement} where ${statement.includes('artifacts') ? 'order_id' : 'id'} = $1`,
        [orderId],
      ),
    ).rejects.toMatchObject({ code: '23503', constraint: expect.stringMatching(constraint) });
});
