import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Database } from '@pto/database';
import { walkIndexes } from '../../src/config.ts';
import type { Claimed } from '../../src/deliverer/claim.ts';
import { record } from '../../src/deliverer/record.ts';
import { getDelivery } from '../../src/deliveries/get-delivery.ts';
import { queueBacklog } from '../backlog.ts';
import { claimNow } from '../claim-now.ts';
import { passTime } from '../pass-time.ts';
import {
  anOrganization,
  openServiceDatabase,
  type ServiceDatabase,
  startDatabase,
} from '../webhooks-service.ts';

const [leaseMs, second, minute, hour] = [15_000, 1000, 60_000, 3_600_000];
const owner = '0192f0c1-2b3c-4d5e-8f60-718293a4b5c6';
let stores: ServiceDatabase;
let db: Database;

beforeAll(async () => {
  stores = await startDatabase();
  db = await openServiceDatabase(stores, { session: walkIndexes });
});
afterEach(() => stores.superuser.query('truncate pending_deliveries, endpoints cascade'));
afterAll(async () => {
  await db.close();
  await stores.stop();
});

/** Deliveries of one order to one endpoint. */
const queue = async (deliveriesEach: number): Promise<void> => {
  const url = 'https://hooks.example.com/';
  await queueBacklog(stores, {
    organizationId: anOrganization(),
    url,
    endpoints: 1,
    deliveriesEach,
  });
  await stores.superuser.query('update pending_deliveries set order_id = endpoint_id');
};

/** A claim of a process that dies at once. */
const claimAndDie = async (): Promise<Claimed | undefined> =>
  (await claimNow(db, { owner, leaseMs, most: 1 }))[0];

/** The delivery is claimed and lost so often; each time it is due again. */
const lose = async (times: number): Promise<void> => {
  for (let lost = 0; lost < times; lost++) {
    expect(await claimAndDie()).toBeDefined();
    await passTime(stores, leaseMs + 20 * hour);
  }
};

test('six lost leases cost the delivery one of its six attempts', async () => {
  await queue(1);
  await lose(5);
  expect(await claimAndDie()).toMatchObject({ number: 6, scheduled: 1, lost: 5, wasLost: true });
  await passTime(stores, leaseMs + hour);
  expect(await claimAndDie()).toMatchObject({ number: 7, scheduled: 2, lost: 6, wasLost: true });
});

test('after each lost lease there is a pause, after the fifth that of the schedule', async () => {
  await queue(1);
  const first = await claimAndDie();
  const pauses = [0, 30 * second, 2 * minute, 10 * minute, 30 * minute];
  const waits = [minute, 5 * minute, 30 * minute, 4 * hour, 19.4 * hour];
  for (const [n, pause] of [...pauses, ...waits].entries()) {
    await passTime(stores, leaseMs + pause - 5 * second);
    expect(await claimAndDie()).toBeUndefined();
    await passTime(stores, 5 * second);
    const scheduled = Math.max(1, n - 3);
    expect(await claimAndDie()).toMatchObject({ number: n + 2, scheduled, lost: n + 1 });
  }
  await passTime(stores, leaseMs);
  expect(await claimAndDie()).toMatchObject({ number: 12, scheduled: 7 }); // no attempt is left
  const rows = await stores.superuser.query(
    'select number, error from attempts where delivery_id = $1 order by number',
    [first!.deliveryId],
  );
  const numbers = Array.from({ length: 11 }, (_, n) => ({ number: n + 1, error: 'lost' }));
  expect(rows).toEqual(numbers);
});

test('a lost lease that is in the history already holds up no claim', async () => {
  await queue(1);
  const first = await claimAndDie();
  await passTime(stores, leaseMs);
  await stores.superuser.query(
    `insert into attempts (organization_id, delivery_id, number, at, status_code, duration_ms)
     select organization_id, delivery_id, 1, now(), 500, 1 from pending_deliveries
     where delivery_id = $1`,
    [first!.deliveryId],
  );
  expect(await claimAndDie()).toMatchObject({ number: 2 });
});

test('an operator sees when the pause after a lost lease is over', async () => {
  await queue(1);
  await lose(2);
  const claimed = await claimAndDie();
  await passTime(stores, leaseMs);
  const { dueAt } = await getDelivery(db, { ...claimed!, id: claimed!.deliveryId });
  const waitMs = Date.parse(dueAt) - Date.now();
  expect(Math.abs(waitMs - 2 * minute)).toBeLessThan(10 * second);
});

test('24 hours count from the first attempt of the schedule, not from a lost lease', async () => {
  await queue(1);
  const before = await claimAndDie();
  await passTime(stores, leaseMs + 30 * hour);
  const again = await claimAndDie();
  expect(again!.firstAttemptAt - before!.firstAttemptAt).toBeGreaterThanOrEqual(0);
  const now = new Date();
  await record(db, owner, [
    {
      ...again!,
      attempt: {
        at: now,
        endedAt: now,
        statusCode: 500,
        error: null,
        durationMs: 1,
        counts: false,
      },
      verdict: { state: 'PENDING', waitMs: 0 },
    },
  ]);
  await claimAndDie();
  await passTime(stores, leaseMs + hour);
  const last = await claimAndDie();
  expect(last).toMatchObject({ number: 4, scheduled: 2, lost: 2 });
  expect(Math.abs(again!.firstAttemptAt - hour - leaseMs - last!.firstAttemptAt)).toBeLessThan(10);
});

test("an order's next event waits for no more than the lost leases that cost nothing", async () => {
  await queue(2);
  await lose(6);
  const first = await claimAndDie();
  expect(first).toMatchObject({ number: 7 });
  const next = await claimAndDie();
  expect(next).toMatchObject({ number: 1 });
  expect(next!.deliveryId).not.toBe(first!.deliveryId);
});
