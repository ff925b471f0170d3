import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { migrate } from '@pto/database';
import { migrations } from '../../migrations/index.ts';
import { anOrganization, type ServiceDatabase, startDatabase } from '../webhooks-service.ts';

let stores: ServiceDatabase;
beforeAll(async () => {
  stores = await startDatabase();
});
afterAll(() => stores.stop());

test('the indexes are built day by day, once for each day, also after an interruption', async () => {
  const { database, superuser } = stores;
  await migrate(database.ownerUrl, migrations.slice(0, 2));
  await superuser.query(
    `insert into events (organization_id, id, order_id, event_id, event, body)
     select $1, gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'order.sealed', '{}'
     from generate_series(1, 100)`,
    [anOrganization()],
  );
  // what an interrupted build has left
  await superuser.query(
    'create index events_other_of_order on events_other (organization_id, order_id, id)',
  );
  await migrate(database.ownerUrl, migrations);
  const counts = await superuser.query<{ table: string; days: number; valid: boolean }>(
    `select i.relname as table, count(*)::int as days, bool_and(x.indisvalid) as valid
     from pg_class i join pg_index p on p.indexrelid = i.oid and p.indisvalid
     join pg_inherits h on h.inhparent = i.oid join pg_index x on x.indexrelid = h.inhrelid
     where i.relname in ('events_of_order', 'attempts_erased', 'deliveries_of_endpoint_open',
       'deliveries_of_endpoint_exhausted') group by 1 order by 1`,
  );
  const days = await superuser.query<{ days: number }>(
    "select count(*)::int as days from pg_inherits where inhparent = 'events'::regclass",
  );
  const [{ days: all } = { days: 0 }] = days;
  expect(all).toBeGreaterThan(3);
  expect(counts).toEqual([
    { table: 'attempts_erased', days: all, valid: true },
    { table: 'deliveries_of_endpoint_exhausted', days: all, valid: true },
    { table: 'deliveries_of_endpoint_open', days: all, valid: true },
    { table: 'events_of_order', days: all, valid: true },
  ]);
  const [twice] = await superuser.query<{ count: number }>(
    `select count(*)::int as count from pg_indexes
     where tablename = 'events_other' and indexdef like '%(organization_id, order_id, id)%'`,
  );
  expect(twice!.count).toBe(1);
});
