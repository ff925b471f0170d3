import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Database } from '@pto/database';
import type { Claimed } from '../../src/deliverer/claim.ts';
import { type Finished, record } from '../../src/deliverer/record.ts';
import { queueBacklog } from '../backlog.ts';
import { claimNow } from '../claim-now.ts';
import {
  anOrganization,
  openServiceDatabase,
  type ServiceDatabase,
  startDatabase,
} from '../webhooks-service.ts';

let stores: ServiceDatabase;
let db: Database;
beforeAll(async () => {
  stores = await startDatabase();
  db = await openServiceDatabase(stores);
});
afterEach(() => stores.superuser.query('truncate pending_deliveries, endpoints cascade'));
afterAll(async () => {
  await db.close();
  await stores.stop();
});

const owner = randomUUID();
const queue = async (deliveriesEach: number): Promise<void> => {
  const organizationId = anOrganization();
  const url = 'https://hooks.example.com/';
  await queueBacklog(stores, { organizationId, url, endpoints: 1, deliveriesEach });
};
const claimOne = async (): Promise<Claimed> => {
  await queue(1);
  return (await claimNow(db, { owner, most: 1 }))[0]!;
};
/** Records a failed attempt that is to be repeated. */
const recordFailed = (claimed: Claimed): Promise<unknown> => {
  const now = new Date(claimed.clock());
  const attempt = { at: now, endedAt: now, statusCode: 500, error: null, durationMs: 1 };
  const verdict: Finished['verdict'] = { state: 'PENDING', waitMs: 0 };
  return record(db, owner, [{ ...claimed, attempt: { ...attempt, counts: true }, verdict }]);
};
const deliveries = () =>
  stores.superuser.query(
    `select d.state, d.reason, p.delivery_id is not null as queued
     from deliveries d left join pending_deliveries p on p.delivery_id = d.id`,
  );
const failures = async () =>
  (await stores.superuser.query('select consecutive_failures as count from endpoints'))[0];

test('an attempt that fails after its endpoint was disabled ends the delivery at once', async () => {
  const claimed = await claimOne();
  await stores.superuser.query(
    "update endpoints set disabled = true, generation = generation + 1, generation_reason = 'disabled'",
  );
  await recordFailed(claimed);
  expect(await deliveries()).toContainEqual({
    state: 'EXHAUSTED',
    reason: 'disabled',
    queued: false,
  });
});

test('an attempt that fails is repeated while its endpoint is of the same generation', async () => {
  await recordFailed(await claimOne());
  expect(await deliveries()).toContainEqual({ state: 'PENDING', reason: '', queued: true });
});

test('a failure at an earlier URL does not count for the health of the new one', async () => {
  const claimed = await claimOne();
  await stores.superuser.query('update endpoints set url_version = url_version + 1');
  await recordFailed(claimed);
  expect(await failures()).toEqual({ count: 0 });
});

test('a failure at the same URL counts', async () => {
  await recordFailed(await claimOne());
  expect(await failures()).toEqual({ count: 1 });
});

test('an earlier delivery of an order holds up a later one only if both are of one generation', async () => {
  await queue(2);
  await stores.superuser.query('update pending_deliveries set order_id = $1', [randomUUID()]);
  const positions = (await stores.superuser.query<{ position: string }>(
    'select position from pending_deliveries order by position',
  )) as { position: string }[];
  expect(await claimNow(db, { owner, most: 2 })).toHaveLength(1);
  await stores.superuser.query(
    'update pending_deliveries set lease_until = null, leased_at = null, lease_owner = null, tried = false, attempts = 0',
  );
  await stores.superuser.query('update endpoints set generation = generation + 1');
  await stores.superuser.query(
    'update pending_deliveries set generation = generation + 1 where position = $1',
    [positions[1]!.position],
  );
  expect(await claimNow(db, { owner, most: 2 })).toHaveLength(1);
});
