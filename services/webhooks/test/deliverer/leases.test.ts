import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Database } from '@pto/database';
import { createTelemetry } from '@pto/telemetry';
import { until } from '@pto/testing';
import { walkIndexes } from '../../src/config.ts';
import { runAttempt } from '../../src/deliverer/attempt.ts';
import type { Claimed } from '../../src/deliverer/claim.ts';
import { type Finished, record } from '../../src/deliverer/record.ts';
import type { Egress } from '../../src/egress/egress.ts';
import { endStale } from '../../src/queue/end-stale.ts';
import { openSigningKeys } from '../../src/secrets/sign.ts';
import { queueBacklog } from '../backlog.ts';
import { claimNow } from '../claim-now.ts';
import { passTime } from '../pass-time.ts';
import {
  anOrganization,
  openServiceDatabase,
  type ServiceDatabase,
  sealingRing,
  startDatabase,
} from '../webhooks-service.ts';

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

const queue = async (deliveriesEach: number): Promise<string> => {
  const [id] = await queueBacklog(stores, {
    organizationId: anOrganization(),
    url: 'https://hooks.example.com/',
    endpoints: 1,
    deliveriesEach,
  });
  return id!;
};

const claimOne = async (owner: string): Promise<Claimed> => {
  await queue(1);
  return (await claimNow(db, { owner, most: 1 }))[0]!;
};

const finished = (claimed: Claimed, verdict: Finished['verdict']): Finished => {
  const now = new Date(claimed.clock());
  const attempt = { at: now, endedAt: now, statusCode: 204, error: null, durationMs: 1 };
  return { ...claimed, attempt: { ...attempt, counts: false }, verdict };
};

const isBlocked = async () =>
  (
    await stores.superuser.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
  ).length > 0;

const queued = () =>
  stores.superuser.query<{ lease_owner: string; attempts: number }>(
    'select lease_owner, attempts from pending_deliveries',
  );

describe.each<Finished['verdict']>([
  { state: 'DELIVERED' },
  { state: 'EXHAUSTED' },
  { state: 'PENDING', waitMs: 0 },
])('a result is recorded by the holder of the lease alone: $state', (verdict) => {
  test('not by another process', async () => {
    const owner = randomUUID();
    const claimed = await claimOne(owner);
    await record(db, randomUUID(), [finished(claimed, verdict)]);
    expect(await queued()).toEqual([{ lease_owner: owner, attempts: 1 }]);
    expect(await attemptsOf(claimed)).toEqual([]);
  });

  test('not by the same process with a lease that it lost and got again', async () => {
    const owner = randomUUID();
    const before = await claimOne(owner);
    await passTime(stores, 60_000);
    const [again] = await claimNow(db, { owner, most: 1 });
    expect(again).toMatchObject({ deliveryId: before.deliveryId, number: 2 });
    await record(db, owner, [finished(before, verdict)]);
    expect(await queued()).toEqual([{ lease_owner: owner, attempts: 2 }]);
    expect(await attemptsOf(before)).toEqual([{ number: 1, error: 'lost' }]);
  });
});

const attemptsOf = ({ deliveryId }: Claimed) =>
  stores.superuser.query(
    'select number, error from attempts where delivery_id = $1 order by number',
    [deliveryId],
  );

/** An attempt with that much of its lease left; what it sent, and what it gave to be recorded. */
const attemptWith = async (claimed: Claimed, leftMs: number) => {
  const sent: number[] = [];
  const recorded: Finished[] = [];
  const egress: Egress = {
    request: async ({ timeoutMs }) => {
      sent.push(timeoutMs);
      return { statusCode: 204, retryAfter: undefined, body: Buffer.alloc(0) };
    },
    close: async () => {},
  };
  await runAttempt(
    claimed,
    { turn: Promise.resolve(), latest: performance.now() + leftMs },
    { signal: new AbortController().signal, ended: () => {} },
    {
      egress,
      signingKeys: openSigningKeys(sealingRing),
      metrics: { count: () => {}, firstAttempt: () => {}, broken: () => {}, lost: () => {} },
      log: createTelemetry({ service: 'webhooks', level: 'silent' }).log,
      addResult: async (one) => {
        recorded.push(one);
      },
      retryWaitsMs: [1],
      attemptTimeoutMs: 10_000,
      abandoned: new AbortController().signal,
    },
  );
  return { sent, recorded };
};

test('an attempt that begins when its lease is over is neither sent nor recorded', async () => {
  const claimed = await claimOne(randomUUID());
  expect(await attemptWith(claimed, -1)).toEqual({ sent: [], recorded: [] });
  const { sent, recorded } = await attemptWith(claimed, 20_000);
  expect([sent, recorded.length]).toEqual([[10_000], 1]);
});

test('an attempt takes no longer than what is left of its lease', async () => {
  const claimed = await claimOne(randomUUID());
  const { sent } = await attemptWith(claimed, 5000);
  expect(sent).toHaveLength(1);
  expect(sent[0]).toBeLessThanOrEqual(5000);
});

test('what is leased is left to the end of its attempt when its endpoint is disabled', async () => {
  const owner = randomUUID();
  const claimed = await claimOne(owner);
  await stores.superuser.query('update endpoints set disabled = true, generation = generation + 1');
  const endpoint = { organizationId: claimed.organizationId, id: claimed.endpointId };
  await endStale(db, endpoint);
  expect(await queued()).toEqual([{ lease_owner: owner, attempts: 1 }]);
  await passTime(stores, 60_000);
  await endStale(db, endpoint);
  expect(await queued()).toEqual([]);
  expect(await attemptsOf(claimed)).toEqual([{ number: 1, error: 'lost' }]);
});

test.each([
  ['disabled', 'update endpoints set disabled = true, generation = generation + 1 where id = $1'],
  ['moved', "update endpoints set status = 'PENDING_VERIFICATION' where id = $1"],
  ['disabled and enabled again', 'update endpoints set generation = generation + 1 where id = $1'],
  ['deleted', 'delete from endpoints where id = $1'],
])('a claim waits for a change of its endpoint: one that is %s gets nothing', async (_, change) => {
  const id = await queue(3);
  let claiming: Promise<readonly Claimed[]> = Promise.resolve([]);
  await stores.superuser.transaction(async (tx) => {
    await tx.query('select from endpoints where id = $1 for update', [id]);
    await tx.query(change, [id]);
    claiming = claimNow(db, {});
    await until(isBlocked, { what: 'the claim to wait for the endpoint' });
  });
  expect(await claiming).toEqual([]);
});
