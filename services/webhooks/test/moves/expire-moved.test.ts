import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Database } from '@pto/database';
import { walkIndexes } from '../../src/config.ts';
import { expireMoved } from '../../src/moves/expire-moved.ts';
import { openServiceDatabase, type ServiceDatabase, startDatabase } from '../webhooks-service.ts';

let stores: ServiceDatabase;
let db: Database;
beforeAll(async () => {
  stores = await startDatabase();
  db = await openServiceDatabase(stores, { session: walkIndexes });
});
afterAll(async () => {
  await db.close();
  await stores.stop();
});

/** Stores an event and a delivery with an attempt for each of the days before today. */
const store = (days: readonly number[], each: number) =>
  stores.superuser.query(
    `with ids as (
       select d, (lpad(to_hex((extract(epoch from date_trunc('day', now(), 'UTC') - d * interval '1 day')
           * 1000)::bigint + n), 12, '0') || '70008000' || lpad(n::text, 12, '0'))::uuid as id
       from unnest($1::int[]) as d, generate_series(1, $2::int) as n
     ), e as (
       insert into events (id, organization_id, order_id, event_id, event, body)
       select id, $3, id, id, 'e', '{}' from ids
     ), d as (
       insert into deliveries (id, endpoint_id, organization_id, order_id, event_id, event, payload, sequence)
       select id, $3, $3, id, id, 'e', '', 1 from ids
     )
     insert into attempts (organization_id, delivery_id, number, at, duration_ms)
     select $3, id, 1, now(), 1 from ids`,
    [days, each, '018f0000-0000-7000-8000-000000000000'],
  );

const days = (table: string, id: string) =>
  stores.superuser.query<{ day: number; n: number }>(
    `select (date_trunc('day', now(), 'UTC')::date - (to_timestamp(('x' || substr(replace(${id}::text, '-', ''), 1, 12))::bit(48)::bigint
        / 1000.0) at time zone 'UTC')::date) as day, count(*)::int as n
     from ${table} group by 1 order by 1`,
  );

test('expired rows of the default partitions are deleted, but for queued deliveries', async () => {
  await store([0, 29, 30, 31, 45], 2);
  await store([40], 12_000);
  await stores.superuser.query(
    `insert into pending_deliveries (organization_id, delivery_id, endpoint_id, order_id, generation)
     select organization_id, id, endpoint_id, order_id, 1 from deliveries order by id limit 1`,
  );
  await expireMoved(db, 30);
  const recent = [0, 29, 30].map((day) => ({ day, n: 2 }));
  expect(await days('events', 'id')).toEqual(recent);
  expect(await days('attempts', 'delivery_id')).toEqual(recent);
  expect(await days('deliveries', 'id')).toEqual([...recent, { day: 45, n: 1 }]);
});
