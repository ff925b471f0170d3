import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { migrate } from '@pto/database';
import { createTelemetry } from '@pto/telemetry';
import { migrations } from '../../migrations/index.ts';
import { delivererMetrics } from '../../src/deliverer/metrics.ts';
import { queueBacklog } from '../backlog.ts';
import { anOrganization, type ServiceDatabase, startDatabase } from '../webhooks-service.ts';

// no deliverer runs: what one would be doing is written into the rows
let stores: ServiceDatabase;
const telemetry = createTelemetry({ service: 'webhooks', write: () => {} });
beforeAll(async () => {
  stores = await startDatabase();
  await migrate(stores.database.ownerUrl, migrations);
  delivererMetrics(stores.superuser, telemetry, () => 0);
});
afterEach(() => stores.superuser.query('truncate pending_deliveries, endpoints cascade'));
afterAll(() => stores.stop());

const scraped = async (name: string) => {
  const page = await telemetry.metrics.metrics();
  const [, value] = new RegExp(`^${name}\\{[^}]*\\} (\\S+)$`, 'm').exec(page) ?? [];
  return value === undefined ? undefined : Number(value);
};

/** Ten deliveries that are due since ten minutes, to one endpoint. */
const tenMinutesDue = async () => {
  const [id] = await queueBacklog(stores, {
    organizationId: anOrganization(),
    url: 'https://127.0.0.1:1/hooks',
    endpoints: 1,
    deliveriesEach: 10,
  });
  await stores.superuser.query("update pending_deliveries set due_at = now() - interval '10 min'");
  return id!;
};
const overdue = () => scraped('webhook_oldest_due_seconds');
const endpointWith = (change: string, id: string) =>
  stores.superuser.query(`update endpoints set ${change} where id = $1`, [id]);

test('what is due and nobody tries is overdue, however old the last attempt is', async () => {
  const id = await tenMinutesDue();
  expect(await overdue()).toBeCloseTo(600, -1);
  await endpointWith("last_success_at = now() - interval '2 minutes'", id);
  expect(await overdue()).toBeCloseTo(600, -1);
  expect(await scraped('webhook_pending_deliveries')).toBe(10);
});

test('what waits after a lost lease is overdue only when the pause is over', async () => {
  await tenMinutesDue();
  await stores.superuser.query(
    `update pending_deliveries set lease_until = now() - interval '5 min',
       due_if_lost_at = now() + interval '1 min'`,
  );
  expect(await overdue()).toBe(0);
  await stores.superuser.query(
    "update pending_deliveries set due_if_lost_at = now() - interval '4 min'",
  );
  expect(await overdue()).toBeCloseTo(240, -1);
});

test('deliveries that lost their lease three times are counted as suspect', async () => {
  await tenMinutesDue();
  expect(await scraped('webhook_suspect_deliveries')).toBe(0);
  const lose = (lost: number, position: string) =>
    stores.superuser.query(
      `update pending_deliveries set lost = $1 where position % 10 ${position}`,
      [lost],
    );
  await lose(2, '= 1');
  expect(await scraped('webhook_suspect_deliveries')).toBe(0);
  await lose(3, '< 2');
  expect(await scraped('webhook_suspect_deliveries')).toBe(2);
});

test.each([
  'status = $$BROKEN$$',
  'disabled = true',
  'generation = generation + 1',
  'consecutive_failures = 10',
  'last_success_at = now()',
  'last_failure_at = now()',
])('it is not while its endpoint has %s', async (change) => {
  await endpointWith(change, await tenMinutesDue());
  expect(await overdue()).toBe(0);
  expect(await scraped('webhook_pending_deliveries')).toBe(10);
});

test('a backlog behind one attempt in flight is not, and is once its lease has ended', async () => {
  await tenMinutesDue();
  const lease = (until: string) =>
    stores.superuser.query(`update pending_deliveries set lease_until = now() + interval '${until}'
      where delivery_id = (select min(delivery_id::text)::uuid from pending_deliveries)`);
  await lease('10 s');
  expect(await overdue()).toBe(0);
  await lease('-1 s');
  expect(await overdue()).toBeCloseTo(600, -1);
});

test("one partner's hanging endpoint does not hide another's that nobody tries", async () => {
  const hanging = await tenMinutesDue();
  await stores.superuser.query(
    "update pending_deliveries set lease_until = now() + interval '10 s'",
  );
  await endpointWith('consecutive_failures = 50', hanging);
  expect(await overdue()).toBe(0);
  const [forgotten] = await queueBacklog(stores, {
    organizationId: anOrganization(),
    url: 'https://127.0.0.1:1/hooks',
    endpoints: 1,
    deliveriesEach: 1,
  });
  await stores.superuser.query(
    "update pending_deliveries set due_at = now() - interval '7 min' where endpoint_id = $1",
    [forgotten],
  );
  expect(await overdue()).toBeCloseTo(420, -1);
});

test('while the queue cannot be looked at no number is shown', async () => {
  await tenMinutesDue();
  await stores.superuser.transaction(async (tx) => {
    await tx.query('lock table pending_deliveries');
    expect(await overdue()).toBeUndefined();
    expect(await scraped('webhook_pending_deliveries')).toBeUndefined();
  });
  expect(await scraped('webhook_pending_deliveries')).toBe(10);
});
