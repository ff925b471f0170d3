import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Database } from '@pto/database';
import { until } from '@pto/testing';
import { breakIfBroken } from '../../src/health/break-endpoint.ts';
import type { EndpointKey } from '../../src/schema/entities.ts';
import { queueBacklog } from '../backlog.ts';
import {
  anOrganization,
  openServiceDatabase,
  type ServiceDatabase,
  startDatabase,
} from '../webhooks-service.ts';

const limits = { brokenFailures: 100, brokenMinAgeMs: 1, brokenSilenceMs: 3_600_000 };
let stores: ServiceDatabase;
let db: Database;
beforeAll(async () => {
  stores = await startDatabase();
  db = await openServiceDatabase(stores);
});
afterAll(async () => {
  await db.close();
  await stores.stop();
});

/** An endpoint that failed often enough to become BROKEN. */
const failingEndpoint = async (): Promise<EndpointKey> => {
  const organizationId = anOrganization();
  const [id] = await queueBacklog(stores, {
    organizationId,
    url: 'https://hooks.example.com/',
    endpoints: 1,
    deliveriesEach: 0,
  });
  await stores.superuser.query(
    `update endpoints set consecutive_failures = 100, failing_since = now() - interval '2 hours'
     where id = $1`,
    [id],
  );
  return { organizationId, id: id! };
};

const isBlocked = async () =>
  (
    await stores.superuser.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
  ).length > 0;

const warnings = ({ id }: EndpointKey) =>
  stores.superuser.query('select level from warnings where endpoint_id = $1', [id]);

test('a success that is recorded at this moment saves an endpoint from BROKEN', async () => {
  const key = await failingEndpoint();
  let judging: Promise<boolean> = Promise.resolve(true);
  await stores.superuser.transaction(async (tx) => {
    await tx.query(
      'update endpoints set consecutive_failures = 0, failing_since = null where id = $1',
      [key.id],
    );
    judging = breakIfBroken(db, key, limits);
    await until(isBlocked, { what: 'the verdict to wait for the record' });
  });
  expect(await judging).toBe(false);
  expect(await warnings(key)).toEqual([]);
});

test('a disabled endpoint is not made BROKEN', async () => {
  const key = await failingEndpoint();
  const setDisabled = (disabled: boolean) =>
    stores.superuser.query('update endpoints set disabled = $2 where id = $1', [key.id, disabled]);
  await setDisabled(true);
  expect(await breakIfBroken(db, key, limits)).toBe(false);
  await setDisabled(false);
  expect(await breakIfBroken(db, key, limits)).toBe(true);
});

test('of two replicas that judge an endpoint one makes it BROKEN and warns', async () => {
  const key = await failingEndpoint();
  let judging: Promise<boolean[]> = Promise.resolve([]);
  await stores.superuser.transaction(async (tx) => {
    await tx.query('select from endpoints where id = $1 for update', [key.id]);
    judging = Promise.all([breakIfBroken(db, key, limits), breakIfBroken(db, key, limits)]);
    await until(isBlocked, { what: 'the verdicts to wait' });
  });
  expect((await judging).sort()).toEqual([false, true]);
  expect(await warnings(key)).toEqual([{ level: 100 }]);
});
