import { expect, test } from '@jest/globals';
import { deliveriesOf, underTest } from '../under-test.ts';
import { eventsOf } from '../webhooks-service.ts';

const under = underTest({ WEBHOOKS_RETRY_WAITS: '10ms,10ms,10ms,10ms,10ms' });

/** Counted first attempts, and the sum of their seconds. */
const waited = async () => {
  const page = await under.replica.telemetry.metrics.metrics();
  const [count, sum] = ['count', 'sum'].map((part) =>
    Number(new RegExp(`webhook_first_attempt_delay_seconds_${part}\\S* (\\S+)`).exec(page)?.[1]),
  );
  return { count, sum: sum! };
};

test('once a delivery, however often it is tried, and not when it is sent again', async () => {
  const { id, organizationId, receiver } = await under.endpoint({ answer: 500 });
  expect(await waited()).toEqual({ count: 0, sum: 0 });
  await under.stores.publish(eventsOf(organizationId, 1));
  const [old] = await deliveriesOf(under.replica, id, 'EXHAUSTED');
  expect(receiver.received).toHaveLength(6);
  const first = await waited();
  expect(first.count).toBe(1);
  expect(first.sum).toBeGreaterThan(0);
  receiver.answer = 204;
  await under.replica.deliveries.replayDelivery({ id: old!.id });
  await deliveriesOf(under.replica, id, 'DELIVERED');
  expect(await waited()).toEqual(first);
});

test('the time is from when the delivery was made', async () => {
  const { id, organizationId, receiver } = await under.endpoint();
  const before = await waited();
  const { superuser } = under.stores;
  await superuser.query(`create function long_ago() returns trigger language plpgsql as $$
    begin new.created_at := now() - interval '90 seconds'; return new; end $$`);
  await superuser.query(`create trigger long_ago before insert on deliveries
    for each row execute function long_ago()`);
  await under.stores.publish(eventsOf(organizationId, 1));
  await deliveriesOf(under.replica, id, 'DELIVERED');
  expect(receiver.received).toHaveLength(1);
  const { count, sum } = await waited();
  expect(count).toBe(before.count! + 1);
  expect(Math.abs(sum - before.sum - 90)).toBeLessThan(5);
});

test('not when a rehearsal held the delivery back', async () => {
  const { id: endpointId, organizationId } = await under.endpoint();
  const before = await waited();
  const target = { organizationId, endpointId };
  const rehearsal = { speed: 60, faults: ['late'], forMs: 60_000 };
  await under.replica.webhooks.setRehearsal({ ...target, ...rehearsal });
  await under.stores.publish(eventsOf(organizationId, 1));
  await deliveriesOf(under.replica, endpointId, 'DELIVERED');
  expect(await waited()).toEqual(before);
});
