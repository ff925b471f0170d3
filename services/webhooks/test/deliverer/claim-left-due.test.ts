import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Database, uuidv7 } from '@pto/database';
import { until } from '@pto/testing';
import { type ClaimRequest, claimDue, firstEndpoint } from '../../src/deliverer/claim.ts';
import { startClaimLoop } from '../../src/deliverer/claim-loop.ts';
import { createInFlightAttempts } from '../../src/deliverer/in-flight.ts';
import { enqueue } from '../../src/queue/enqueue.ts';
import { createEndpoints, queueDeliveries } from '../backlog.ts';
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
afterAll(async () => {
  await db.close();
  await stores.stop();
});

const organizationId = anOrganization();
const url = 'https://hooks.example.com/';

/** Disables all present endpoints and creates one with this number of due deliveries. */
const endpointWith = async (deliveriesEach: number): Promise<string> => {
  await stores.superuser.query('update endpoints set disabled = true');
  const ids = await createEndpoints(stores, { organizationId, url, endpoints: 1 });
  await queueDeliveries(stores, ids, { organizationId, deliveriesEach });
  return ids[0]!;
};

const claim = async (more: Partial<ClaimRequest> = {}) => {
  const { claimed, leftDue } = await claimDue(db, {
    owner: randomUUID(),
    leaseMs: 60_000,
    most: 100,
    perEndpoint: 10,
    perOrganization: 64,
    failing: 128,
    inFlight: new Map(),
    retryWaitsMs: [60_000],
    afterEndpoint: firstEndpoint,
    rehearses: false,
    ...more,
  });
  return { count: claimed.length, leftDue };
};

test('a claim leaves nothing due if it leases all that is due', async () => {
  await endpointWith(10);
  expect(await claim()).toEqual({ count: 10, leftDue: false });
  expect(await claim()).toEqual({ count: 0, leftDue: false });
});

test.each<[string, Partial<ClaimRequest>]>([
  ['its endpoint has no free slot', { perEndpoint: 2 }],
  ['its organization has no free slot', { perOrganization: 2 }],
  ['the claim has reached its maximum', { most: 2 }],
])('a due delivery is left if %s', async (_, limit) => {
  await endpointWith(3);
  expect(await claim(limit)).toEqual({ count: 2, leftDue: true });
  expect(await claim()).toEqual({ count: 1, leftDue: false });
});

test('a due delivery is left if an earlier one of its order is not tried yet', async () => {
  const endpointId = await endpointWith(0);
  const orderId = uuidv7();
  const delivery = { endpointId, organizationId, orderId, event: 'order.sealed', generation: 1 };
  const more = { payload: Buffer.from('{}'), replayOf: null, eventId: randomUUID() };
  await stores.superuser.transaction((tx) =>
    enqueue(
      tx,
      [1, 2].map((sequence) => ({ ...delivery, ...more, id: uuidv7(), sequence })),
    ),
  );
  expect(await claim()).toEqual({ count: 1, leftDue: true });
});

test('a due delivery is left if another process is claiming it', async () => {
  const endpointId = await endpointWith(1);
  await stores.superuser.transaction(async (tx) => {
    await tx.query('select from pending_deliveries where endpoint_id = $1 for update', [
      endpointId,
    ]);
    expect(await claim()).toEqual({ count: 0, leftDue: true });
  });
});

test.each([
  [
    'is due later',
    `update pending_deliveries set due_at = now() + interval '1 h' where endpoint_id = $1`,
  ],
  ['belongs to a disabled endpoint', 'update endpoints set disabled = true where id = $1'],
  [
    'belongs to an older generation',
    'update endpoints set generation = generation + 1 where id = $1',
  ],
])('nothing is left due by a delivery that %s', async (_, change) => {
  const endpointId = await endpointWith(1);
  await stores.superuser.query(change, [endpointId]);
  expect(await claim()).toEqual({ count: 0, leftDue: false });
});

/** A claim loop whose attempts end when the test ends them. */
const startLoop = () => {
  const counted = { claims: 0 };
  const running: (() => void)[] = [];
  const loop = startClaimLoop({
    db: {
      ...db,
      query: (text, parameters) => {
        if (text.startsWith('with recursive queued')) counted.claims++;
        return db.query(text, parameters);
      },
    },
    owner: randomUUID(),
    attemptTimeoutMs: 60_000,
    retryWaitsMs: [60_000],
    rehearses: false,
    attempts: createInFlightAttempts(),
    metrics: { count() {}, firstAttempt() {}, broken() {}, lost() {} },
    log: { warn() {} } as never,
    run: () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      running.push(resolve);
      return promise;
    },
  });
  return { loop, counted, running };
};

test('an attempt that ends causes no claim if nothing due was left', async () => {
  const endpointId = await endpointWith(0);
  const { loop, counted, running } = startLoop();
  await loop.first;
  const begun = performance.now();
  const before = counted.claims;
  const deliveries = 20;
  for (let n = 1; n <= deliveries; n++) {
    await queueDeliveries(stores, [endpointId], { organizationId, deliveriesEach: 1 });
    loop.wake();
    await until(() => running.length === n, { what: 'the attempt' });
    running.at(-1)!();
  }
  const polls = Math.ceil((performance.now() - begun) / 250);
  await loop.stop();
  expect(counted.claims - before).toBeLessThanOrEqual(deliveries + polls);
});

test.each([
  ['', 1],
  [', also of endpoints that the last claim did not read', 256],
])(
  'an attempt that ends causes a claim at once if due deliveries were left%s',
  async (_, others) => {
    await endpointWith(16);
    const later = await createEndpoints(stores, { organizationId, url, endpoints: others });
    await queueDeliveries(stores, later, { organizationId, deliveriesEach: 1 });
    await stores.superuser.query(
      `update pending_deliveries set due_at = now() + interval '1 h' where endpoint_id = any ($1)`,
      [later],
    );
    const { loop, counted, running } = startLoop();
    await until(() => running.length === 10, { what: 'all slots of the endpoint' });
    const tookMs: number[] = [];
    // a busy machine may delay single ones; a claim that waits for the next poll takes 250 ms each time
    for (let n = 0; n < 10 && !tookMs.some((ms) => ms < 125); n++) {
      const idle = counted.claims + 8; // the pauses have grown to 250 ms
      await until(() => counted.claims >= idle, { what: 'claims without a free slot' });
      const [begun, started] = [performance.now(), running.length];
      running[n]!();
      await until(() => running.length > started, { what: 'the next attempt' });
      tookMs.push(performance.now() - begun);
    }
    await loop.stop();
    expect(Math.min(...tookMs)).toBeLessThan(125);
  },
);
