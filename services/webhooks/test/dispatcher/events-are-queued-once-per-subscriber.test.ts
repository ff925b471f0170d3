import { toBinary } from '@bufbuild/protobuf';
import { expect, test } from '@jest/globals';
import { uuidv7 } from '@pto/database';
import { CustodyEventSchema } from '@pto/proto/custody/events/v1/custody_event';
import { until } from '@pto/testing';
import { pendingCount, underTest } from '../under-test.ts';
import { anOrganization, eventsOf } from '../webhooks-service.ts';

const under = underTest();

test('an event that comes again and again is delivered once', async () => {
  const { organizationId, receiver } = await under.endpoint();
  const events = eventsOf(organizationId, 3);
  for (const again of [1, 2, 3]) await under.stores.publish(events.slice(0, again));
  await under.stores.publish(events);
  await under.stores.publish(eventsOf(organizationId, 1, { type: 'order.closed' }));
  // the last event is of another order, which may overtake the first
  await until(() => receiver.received.length >= 4, { what: 'an event of each kind' });
  await until(async () => (await pendingCount(under.stores)) === 0, { what: 'all to end' });
  expect(receiver.received).toHaveLength(4);
});

test('endpoints receive the events of their filter, of their own organization', async () => {
  const organizationId = anOrganization();
  const all = await under.endpoint({ organizationId });
  const some = await under.endpoint({ organizationId, events: ['order.sealed', 'order.closed'] });
  const others = await under.endpoint();
  const orderId = uuidv7();
  const types = ['order.submitted', 'order.sealed', 'order.in_transit', 'order.closed'];
  await under.stores.publish(
    types.flatMap((type, n) => eventsOf(organizationId, 1, { orderId, from: n + 1, type })),
  );
  await until(() => all.receiver.received.length === 4, { what: 'all events' });
  await until(async () => (await pendingCount(under.stores)) === 0, { what: 'all to end' });
  expect(all.receiver.received.map((post) => post.event)).toEqual(types);
  expect(some.receiver.received.map((post) => post.event)).toEqual([
    'order.sealed',
    'order.closed',
  ]);
  expect(others.receiver.received).toEqual([]);
  const ids = [...all.receiver.received, ...some.receiver.received].map((post) => post.id);
  expect(new Set(ids).size).toBe(ids.length);
});

test('a delivery whose insertion fails is held with its order, tried again, and holds up nothing else', async () => {
  const { organizationId, receiver, id } = await under.endpoint();
  const neighbour = await under.endpoint({ organizationId });
  const marked = uuidv7();
  const { superuser } = under.stores;
  await superuser.query(`create function refuse_marked() returns trigger language plpgsql as $$
    begin
      if new.order_id = '${marked}' and new.endpoint_id = '${id}' then raise exception 'marked'; end if;
      return new;
    end $$`);
  await superuser.query(`create trigger refuse_marked before insert on deliveries
    for each row execute function refuse_marked()`);
  await under.stores.publish([
    ...eventsOf(organizationId, 2),
    ...eventsOf(organizationId, 2, { orderId: marked }),
    ...eventsOf(organizationId, 2),
  ]);
  await until(() => neighbour.receiver.received.length === 6, { what: 'all at the neighbour' });
  await until(() => receiver.received.length === 4, { what: 'the others' });
  const metric = async () =>
    /webhook_refused_deliveries\S* (\d+)/.exec(
      await under.replica.telemetry.metrics.metrics(),
    )?.[1];
  expect(await metric()).toBe('2');
  await superuser.query('drop trigger refuse_marked on deliveries');
  await until(() => receiver.received.length === 6, { what: 'the marked ones' });
  const last = receiver.received.slice(4).map((post) => JSON.parse(post.body).data.order);
  expect(last).toMatchObject([
    { id: marked, sequence: 1 },
    { id: marked, sequence: 2 },
  ]);
  // numbered when they happened, so that the receiver saw the gap meanwhile
  const numbers = receiver.received.map(({ sequence }) => sequence);
  expect(numbers.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6]);
  expect(await metric()).toBe('0');
});

test('an event is not larger for what it leaves out: payloads hold no addresses, items or notes', async () => {
  const { organizationId, receiver } = await under.endpoint();
  const [custody] = eventsOf(organizationId, 1);
  custody!.event!.payloadJson = '{"seal_ids":["S-1"],"note":"fragile"}';
  await under.stores.publish([custody!]);
  const post = await until(() => receiver.received[0], { what: 'the delivery' });
  expect(toBinary(CustodyEventSchema, custody!).length).toBeGreaterThan(0);
  expect(post.body).not.toMatch(/S-1|fragile|note|address|items/);
});
