import { expect, test } from '@jest/globals';
import { until } from '@pto/testing';
import { deliveriesOf, pendingCount, underTest } from '../under-test.ts';
import { anOrganization, eventsOf } from '../webhooks-service.ts';

const under = underTest({ WEBHOOKS_RETRY_WAITS: '50ms,50ms,50ms,50ms,50ms' }, 2);

const upTo = (count: number) => Array.from({ length: count }, (_, n) => n + 1);

test('two replicas number each endpoint separately, from 1, each number once', async () => {
  const organizationId = anOrganization();
  const all = await under.endpoint({ organizationId });
  const some = await under.endpoint({ organizationId, events: ['order.submitted'] });
  const orders = 60;
  await under.stores.publish(
    Array.from({ length: orders }, () => eventsOf(organizationId, 3)).flat(),
  );
  await until(() => all.receiver.received.length === 3 * orders, { what: 'all events' });
  await until(() => some.receiver.received.length === orders, { what: 'some events' });
  for (const { receiver } of [all, some]) {
    const numbers = receiver.received.map(({ sequence }) => sequence);
    expect(numbers.toSorted((a, b) => a - b)).toEqual(upTo(receiver.received.length));
    for (const post of receiver.received)
      expect(JSON.parse(post.body).sequence).toBe(post.sequence);
  }
  await until(async () => (await pendingCount(under.stores)) === 0, { what: 'all to end' });
});

test("retries and replays keep an event's number, a sample event has none", async () => {
  const { id, organizationId, receiver } = await under.endpoint({ answer: 500 });
  await under.stores.publish(eventsOf(organizationId, 1));
  const [given] = await deliveriesOf(under.replica, id, 'EXHAUSTED');
  receiver.answer = 204;
  const { delivery } = await under.replica.webhooks.replayEndpointDelivery({
    organizationId,
    endpointId: id,
    id: given!.id,
  });
  await deliveriesOf(under.replica, id, 'DELIVERED');
  expect(receiver.received.map(({ sequence }) => sequence)).toEqual(Array(7).fill(1));
  expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
  expect(delivery).toMatchObject({ replayOf: given!.id, sequence: 1 });
  await under.replica.webhooks.testEndpoint({ organizationId, id });
  expect(receiver.received.at(-1)).toMatchObject({ event: 'order.test', sequence: Number.NaN });
});

test('an event whose transaction is undone leaves no gap', async () => {
  const { organizationId, receiver } = await under.endpoint();
  const { superuser } = under.stores;
  await superuser.query(`create function fail_first() returns trigger language plpgsql as $$
    begin
      if (select count(*) from failed) < 1 then raise exception 'x' using errcode = '40001'; end if;
      return new;
    end $$`);
  await superuser.query('create table failed ()');
  await superuser.query('grant select on failed to public');
  await superuser.query(`create trigger fail_first before insert on pending_deliveries
    for each row execute function fail_first()`);
  await under.stores.publish(eventsOf(organizationId, 2));
  await until(() => under.replicas.some(({ lines }) => lines.length > 0), { what: 'a failure' });
  await superuser.query('insert into failed default values');
  await until(() => receiver.received.length === 2, { what: 'both' });
  await superuser.query('drop trigger fail_first on pending_deliveries');
  expect(receiver.received.map(({ sequence }) => sequence).sort()).toEqual([1, 2]);
});
