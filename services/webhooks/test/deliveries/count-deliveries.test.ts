/** What became of an endpoint's deliveries of 7 days. */
import { expect, test } from '@jest/globals';
import { type Database, firstUuidv7, uuidv7 } from '@pto/database';
import { countDeliveries } from '../../src/deliveries/count-deliveries.ts';
import { explained } from '../explained.ts';
import { deliveriesOf, underTest } from '../under-test.ts';
import { anOrganization, eventsOf } from '../webhooks-service.ts';

const under = underTest({ WEBHOOKS_RETRY_WAITS: '50ms,50ms,50ms,50ms,50ms' });
const dayMs = 86_400_000;

const metrics = async (organizationId: string, endpointId: string) =>
  (await under.replica.webhooks.getEndpointMetrics({ organizationId, endpointId })).days;

/** Stores deliveries of one day, half of them with an attempt of 100 ms and half of 200 ms. */
const fill = async (
  { organizationId, id }: { organizationId: string; id: string },
  at: number,
  { count, state = 'PENDING' }: { count: number; state?: string },
) => {
  const { superuser } = under.stores;
  await superuser.query(
    `with ids as (select n, (left($4, 13) || '-7' || substr(gen_random_uuid()::text, 16))::uuid as id
       from generate_series(1, $5::int) n),
     stored as (insert into deliveries
       (organization_id, id, endpoint_id, order_id, event_id, event, payload, state, sequence)
       select $1, id, $2, gen_random_uuid(), gen_random_uuid(), 'order.sealed', '{}', $3, n from ids)
     insert into attempts (organization_id, delivery_id, number, at, status_code, duration_ms)
       select $1, id, 1, now(), 204, 100 + 100 * (n % 2) from ids`,
    [organizationId, id, state, firstUuidv7(at), count],
  );
};

test('counts what was delivered, what failed and what waits, for its organization alone', async () => {
  const organizationId = anOrganization();
  const endpoint = await under.endpoint({ organizationId });
  const failing = await under.endpoint({ organizationId, answer: 500 });
  await under.stores.publish(eventsOf(organizationId, 2));
  await deliveriesOf(under.replica, endpoint.id, 'DELIVERED', 2);
  await deliveriesOf(under.replica, failing.id, 'EXHAUSTED', 2);
  const { superuser } = under.stores;
  await superuser.query('update endpoints set paused = true where id = $1', [endpoint.id]);
  await under.stores.publish(eventsOf(organizationId, 1, { from: 3 }));
  await deliveriesOf(under.replica, endpoint.id, 'PENDING', 1);
  // around midnight the two last days
  const sum = async (id: string) => {
    const days = await metrics(organizationId, id);
    expect(days).toHaveLength(7);
    const [delivered, failed, pending] = (['delivered', 'failed', 'pending'] as const).map((name) =>
      days.reduce((all, day) => all + day[name], 0),
    );
    return { delivered, failed, pending };
  };
  expect(await sum(endpoint.id)).toEqual({ delivered: 2, failed: 0, pending: 1 });
  await deliveriesOf(under.replica, failing.id, 'EXHAUSTED', 3);
  expect(await sum(failing.id)).toEqual({ delivered: 0, failed: 3, pending: 0 });
  const { days } = await under.replica.deliveries.countDeliveries({ endpointId: endpoint.id });
  expect(days).toEqual(await metrics(organizationId, endpoint.id));
  await expect(metrics(anOrganization(), endpoint.id)).rejects.toThrow('no such webhook endpoint');
  await expect(under.replica.deliveries.countDeliveries({ endpointId: uuidv7() })).rejects.toThrow(
    'no such webhook endpoint',
  );
  await under.replica.webhooks.deleteEndpoint({ organizationId, id: endpoint.id });
  expect(await sum(endpoint.id)).toMatchObject({ delivered: 2 });
});

test('each day has its deliveries and the durations of its attempts, and no older day is counted', async () => {
  const endpoint = await under.endpoint();
  const now = Date.now();
  for (const [days, count] of [
    [2, 40],
    [6, 20],
    [7, 9],
  ] as const)
    await fill(endpoint, now - days * dayMs, { count });
  await fill(endpoint, now - 2 * dayMs, { count: 3, state: 'EXHAUSTED' });
  const counted = await metrics(endpoint.organizationId, endpoint.id);
  expect(counted.map(({ day }) => Date.parse(day) / dayMs)).toEqual(
    Array.from({ length: 7 }, (_, n) => Math.floor(now / dayMs) - 6 + n),
  );
  expect(counted.map(({ delivered }) => delivered)).toEqual([20, 0, 0, 0, 40, 0, 0]);
  expect(counted.map(({ failed }) => failed)).toEqual([0, 0, 0, 0, 3, 0, 0]);
  expect(counted.map(({ p95Ms }) => p95Ms)).toEqual([
    ...[200, undefined, undefined, undefined],
    ...[200, undefined, undefined],
  ]);
});

test('no duration tells that a host does not exist', async () => {
  const { id, organizationId, receiver } = await under.endpoint();
  await receiver.close();
  await under.stores.publish(eventsOf(organizationId, 1));
  await deliveriesOf(under.replica, id, 'EXHAUSTED');
  for (const { p95Ms } of await metrics(organizationId, id)) expect(p95Ms).toBeUndefined();
});

test('reads the counted days alone, by indexes, and few attempts', async () => {
  const endpoint = await under.endpoint();
  const { superuser } = under.stores;
  const count = 4000;
  await fill(endpoint, Date.now(), { count });
  await fill(await under.endpoint(), Date.now(), { count });
  await superuser.query('vacuum analyze deliveries');
  await superuser.query('vacuum analyze attempts');
  for (const isGeneric of [false, true]) {
    const plans: Awaited<ReturnType<typeof explained>>[] = [];
    const explaining = {
      ...superuser,
      query: async (text: string, parameters: readonly unknown[] = []) => {
        if (text.includes('percentile_disc'))
          plans.push(await explained(superuser, text, parameters, { isGeneric }));
        return superuser.query(text, [...parameters]);
      },
    } as Database;
    await countDeliveries(explaining, endpoint);
    expect(plans).toHaveLength(7);
    const last = plans.at(-1)!;
    expect(last.ways('deliveries_')).toEqual(new Set(['Index Only Scan']));
    // counted, and the newest for their attempts
    expect(last.rows('deliveries_')).toBe(count + 500);
    expect(last.rows('attempts_')).toBe(500);
    for (const plan of plans.slice(0, -1)) expect(plan.rows('deliveries_')).toBe(0);
  }
});
