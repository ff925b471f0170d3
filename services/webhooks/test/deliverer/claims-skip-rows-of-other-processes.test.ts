import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Database } from '@pto/database';
import { until } from '@pto/testing';
import { walkIndexes } from '../../src/config.ts';
import { type Finished, record } from '../../src/deliverer/record.ts';
import { lockOpenEndpoint } from '../../src/endpoints/find-endpoint.ts';
import type { EndpointKey } from '../../src/schema/entities.ts';
import { queueBacklog } from '../backlog.ts';
import { claimNow } from '../claim-now.ts';
import {
  anOrganization,
  openServiceDatabase,
  type ServiceDatabase,
  startDatabase,
} from '../webhooks-service.ts';

let stores: ServiceDatabase;
/** The service's own way in. */
let db: Database;

beforeAll(async () => {
  stores = await startDatabase();
  db = await openServiceDatabase(stores, { session: walkIndexes });
  await queueBacklog(stores, {
    organizationId: anOrganization(),
    url: 'https://hooks.example.com/',
    endpoints: 1,
    deliveriesEach: 8,
  });
});
afterAll(async () => {
  await db.close();
  await stores.stop();
});

const rows = (ids: readonly string[]) =>
  stores.superuser.query<{ lease_owner: string; attempts: number; tried: boolean }>(
    `select lease_owner, attempts, tried from pending_deliveries where delivery_id = any ($1::uuid[])`,
    [ids],
  );

const isBlocked = async () =>
  (
    await stores.superuser.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
  ).length > 0;

test.each<Finished['verdict']>([
  { state: 'DELIVERED' },
  { state: 'EXHAUSTED' },
  { state: 'PENDING', waitMs: 1000 },
])('a result that comes while another takes the delivery is not recorded: %j', async (verdict) => {
  const [late, heir] = [randomUUID(), randomUUID()];
  const [one] = await claimNow(db, { owner: late, most: 1 });
  const now = new Date();
  const attempt = {
    at: now,
    endedAt: now,
    statusCode: 204,
    error: null,
    durationMs: 1,
    counts: false,
  };
  let recording: Promise<unknown> = Promise.resolve();
  await stores.superuser.transaction(async (tx) => {
    await tx.query(
      'update pending_deliveries set lease_owner = $2, attempts = attempts + 1 where delivery_id = $1',
      [one!.deliveryId, heir],
    );
    recording = record(db, late, [{ ...one!, attempt, verdict }]);
    await until(isBlocked, { what: 'the record to meet the other transaction' });
  });
  await recording;
  expect(await rows([one!.deliveryId])).toEqual([{ lease_owner: heir, attempts: 2, tried: false }]);
  const ids = [one!.deliveryId];
  expect(
    await stores.superuser.query('select from attempts where delivery_id = any ($1::uuid[])', [
      ids,
    ]),
  ).toEqual([]);
});

test('a claim waits for nobody, and takes what no other is taking', async () => {
  const [first, second] = [randomUUID(), randomUUID()];
  await stores.superuser.query('update pending_deliveries set lease_until = null');
  const taken: string[] = [];
  await stores.superuser.transaction(async (tx) => {
    const locked = await tx.query<{ delivery_id: string }>(
      'update pending_deliveries set lease_owner = $1 where delivery_id in (select delivery_id from pending_deliveries order by position limit 3) returning delivery_id',
      [first],
    );
    const claimed = await claimNow(db, { owner: second });
    taken.push(...locked.map((row) => row.delivery_id), ...claimed.map((one) => one.deliveryId));
    expect(claimed).toHaveLength(5);
  });
  expect(new Set(taken).size).toBe(8);
});

test('recover and replay do not block claims of the endpoint', async () => {
  const [key] = await stores.superuser.query<EndpointKey>(
    'select organization_id as "organizationId", endpoint_id as id from pending_deliveries limit 1',
  );
  await stores.superuser.query('update pending_deliveries set lease_until = null, due_at = now()');
  await db.transaction(async (tx) => {
    await lockOpenEndpoint(tx, key!);
    expect((await claimNow(db, { most: 1 })).length).toBe(1);
  });
});
