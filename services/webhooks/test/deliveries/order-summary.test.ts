/** What each endpoint has received of an order. */
import { expect, test } from '@jest/globals';
import type { Database } from '@pto/database';
import { until } from '@pto/testing';
import { listOrderDeliveries } from '../../src/deliveries/list-deliveries.ts';
import { summarizeOrder } from '../../src/deliveries/summarize-order.ts';
import { explained } from '../explained.ts';
import { deliveriesOf, underTest } from '../under-test.ts';
import { anOrganization, eventsOf } from '../webhooks-service.ts';

const under = underTest({ WEBHOOKS_RETRY_WAITS: '50ms,50ms,50ms,50ms,50ms' });
const since = '2026-01-01T00:00:00.000Z';

/** Events of an order, the first one `order.submitted` and the others `order.updated`. */
const anOrder = (organizationId: string, count: number) => {
  const events = eventsOf(organizationId, count);
  return { events, orderId: events[0]!.event!.orderId };
};

const summaries = async (organizationId: string, orderId: string) =>
  (await under.replica.deliveries.listOrderDeliveries({ organizationId, orderId })).endpoints;

test('an order of which an endpoint was not told is listed until a delivery succeeds', async () => {
  const organizationId = anOrganization();
  const failing = await under.endpoint({ organizationId, answer: 500 });
  const told = await under.endpoint({ organizationId });
  const { events, orderId } = anOrder(organizationId, 1);
  await under.stores.publish(events);
  await deliveriesOf(under.replica, told.id, 'DELIVERED', 1);
  await deliveriesOf(under.replica, failing.id, 'EXHAUSTED', 1);
  const untold = async () =>
    (await under.replica.deliveries.listUntoldOrders({})).orders.find(
      (one) => one.orderId === orderId,
    );
  const { host, pathname } = new URL(failing.receiver.url);
  expect(await untold()).toMatchObject({
    ...{ orderExternalId: 'PO-7', endpointId: failing.id },
    endpointAddress: host + pathname,
  });
  failing.receiver.answer = 204;
  await under.replica.deliveries.recoverDeliveries({ id: failing.id, since });
  await until(async () => (await untold()) === undefined, { what: 'the recovery' });
});

test('counts the events that the filter of each endpoint selects', async () => {
  const organizationId = anOrganization();
  const all = await under.endpoint({ organizationId });
  const some = await under.endpoint({ organizationId, events: ['order.updated'] });
  await under.endpoint({ organizationId, events: ['order.sealed'] });
  const failing = await under.endpoint({
    organizationId,
    answer: 401,
    events: ['order.submitted'],
  });
  const { events, orderId } = anOrder(organizationId, 4);
  await under.stores.publish([...events, ...anOrder(organizationId, 2).events]);
  await deliveriesOf(under.replica, all.id, 'DELIVERED', 6);
  await deliveriesOf(under.replica, some.id, 'DELIVERED', 4);
  await deliveriesOf(under.replica, failing.id, 'EXHAUSTED', 2);
  const found = await summaries(organizationId, orderId);
  expect(found).toMatchObject([
    {
      endpointId: all.id,
      events: 4,
      delivered: 4,
      failed: 0,
      dueAt: '',
      endpointStatus: 'ENABLED',
    },
    { endpointId: some.id, events: 3, delivered: 3, failed: 0 },
    {
      ...{ endpointId: failing.id, events: 1, delivered: 0, failed: 1, lastDeliveredAt: '' },
      lastFailure: { statusCode: 401 },
    },
  ]);
  expect(found).toHaveLength(3);
  const { host, pathname } = new URL(all.receiver.url);
  expect(found[0]).toMatchObject({ endpointAddress: host + pathname, endpointDeletedAt: '' });
  expect(found[0]!.lastFailure).toBeUndefined();
  const attempts = (await deliveriesOf(under.replica, all.id, 'DELIVERED', 6))
    .filter((one) => one.orderId === orderId)
    .map((one) => one.attempts[0]!.at);
  expect(found[0]!.lastDeliveredAt).toBe(attempts.sort().at(-1));
});

test('an event that was missed while the endpoint was disabled is not received', async () => {
  const { id, organizationId } = await under.endpoint();
  const { events, orderId } = anOrder(organizationId, 3);
  await under.stores.publish(events.slice(0, 1));
  await deliveriesOf(under.replica, id, 'DELIVERED');
  const { webhooks } = under.replica;
  await webhooks.updateEndpoint({ organizationId, id, disabled: true });
  await under.stores.publish(events.slice(1));
  await until(async () => (await summaries(organizationId, orderId))[0]!.events === 3, {
    what: 'the events',
  });
  expect(await summaries(organizationId, orderId)).toMatchObject([
    { events: 3, delivered: 1, failed: 2, endpointDisabled: true },
  ]);
});

test('an event counts once, however often it was replayed', async () => {
  const { id, organizationId, receiver } = await under.endpoint({ answer: 500 });
  const { events, orderId } = anOrder(organizationId, 1);
  await under.stores.publish(events);
  const [delivery] = await deliveriesOf(under.replica, id, 'EXHAUSTED');
  const replay = { organizationId, endpointId: id, id: delivery!.id };
  await under.replica.webhooks.replayEndpointDelivery(replay);
  await deliveriesOf(under.replica, id, 'EXHAUSTED', 2);
  expect(await summaries(organizationId, orderId)).toMatchObject([
    { events: 1, delivered: 0, failed: 1 },
  ]);
  receiver.answer = 204;
  for (let n = 1; n <= 2; n++) {
    await under.replica.webhooks.replayEndpointDelivery(replay);
    await deliveriesOf(under.replica, id, 'DELIVERED', n);
  }
  const [summary] = await summaries(organizationId, orderId);
  expect(summary).toMatchObject({ events: 1, delivered: 1, failed: 0, dueAt: '' });
  expect(summary!.lastFailure).toBeUndefined();
});

test('a deleted endpoint has what it received and what it missed in its time, and no more', async () => {
  const { id, organizationId, receiver } = await under.endpoint();
  const { events, orderId } = anOrder(organizationId, 4);
  await under.stores.publish(events.slice(0, 2));
  await deliveriesOf(under.replica, id, 'DELIVERED', 2);
  const { webhooks } = under.replica;
  await webhooks.updateEndpoint({ organizationId, id, disabled: true });
  const follower = await under.endpoint({ organizationId });
  await under.stores.publish(events.slice(2, 3));
  await deliveriesOf(under.replica, follower.id, 'DELIVERED');
  await webhooks.deleteEndpoint({ organizationId, id });
  await under.stores.publish(events.slice(3));
  await deliveriesOf(under.replica, follower.id, 'DELIVERED', 2);
  const { host, pathname } = new URL(receiver.url);
  const found = await summaries(organizationId, orderId);
  expect(found).toMatchObject([
    { endpointId: follower.id, events: 2, delivered: 2 },
    {
      ...{ endpointId: id, events: 3, delivered: 2, failed: 1, endpointStatus: '' },
      endpointAddress: host + pathname,
    },
  ]);
  expect(Date.parse(found[1]!.endpointDeletedAt)).toBeGreaterThan(0);
  expect(await summaries(anOrganization(), orderId)).toEqual([]);
});

test('a delivery that waits for its retry has the time of it', async () => {
  const { superuser } = under.stores;
  const { id, organizationId } = await under.endpoint({
    // a pause, so that no second attempt comes
    answer: async (_, response) => {
      await superuser.query('update endpoints set paused = true where organization_id = $1', [
        organizationId,
      ]);
      response.writeHead(503).end('later');
    },
  });
  const { events, orderId } = anOrder(organizationId, 1);
  await under.stores.publish(events);
  await until(async () => (await summaries(organizationId, orderId))[0]?.lastFailure, {
    what: 'the first attempt',
  });
  await superuser.query(
    "update pending_deliveries set due_at = now() + interval '1 h' where endpoint_id = $1",
    [id],
  );
  const [summary] = await summaries(organizationId, orderId);
  expect(summary).toMatchObject({ events: 1, delivered: 0, failed: 0 });
  expect(summary!.lastFailure).toMatchObject({ statusCode: 503, responseBody: 'later' });
  expect(Date.parse(summary!.dueAt)).toBeGreaterThan(Date.now() + 3_000_000);
});

test('a partner reads public reasons of it alone', async () => {
  const { id, organizationId, receiver } = await under.endpoint();
  await receiver.close();
  const { events, orderId } = anOrder(organizationId, 1);
  await under.stores.publish(events);
  await deliveriesOf(under.replica, id, 'EXHAUSTED');
  const order = { organizationId, orderId };
  const { endpoints } = await under.replica.webhooks.listDeliveriesOfOrder(order);
  expect(endpoints[0]!.lastFailure).toMatchObject({ error: 'unreachable', durationMs: 3000 });
  expect((await summaries(organizationId, orderId))[0]!.lastFailure).toMatchObject({
    error: 'connection_refused',
  });
});

test('the events of one order are sent again, once, and those of no other order', async () => {
  const { id, organizationId, receiver } = await under.endpoint({ answer: 500 });
  const { events, orderId } = anOrder(organizationId, 2);
  await under.stores.publish([...events, ...anOrder(organizationId, 2).events]);
  await deliveriesOf(under.replica, id, 'EXHAUSTED', 4);
  receiver.answer = 204;
  const { webhooks, deliveries } = under.replica;
  const span = { since, includePending: true, orderId };
  expect(await deliveries.recoverDeliveries({ id, ...span })).toMatchObject({ queued: 2 });
  await deliveriesOf(under.replica, id, 'DELIVERED', 2);
  const again = await webhooks.recoverEndpoint({ organizationId, endpointId: id, ...span });
  expect(again).toMatchObject({ queued: 0, retried: 0, nextSince: '' });
  expect(await summaries(organizationId, orderId)).toMatchObject([
    { events: 2, delivered: 2, failed: 0 },
  ]);
  expect(await deliveriesOf(under.replica, id, 'EXHAUSTED', 4)).toHaveLength(4);
  await expect(deliveries.recoverDeliveries({ id, ...span, orderId: 'x' })).rejects.toThrow('UUID');
});

test('what waits of one order is attempted now, and nothing of another order', async () => {
  const { superuser } = under.stores;
  const { id, organizationId } = await under.endpoint();
  await superuser.query('update endpoints set paused = true where id = $1', [id]);
  const orders = [anOrder(organizationId, 1), anOrder(organizationId, 1)];
  await under.stores.publish(orders.flatMap(({ events }) => events));
  await deliveriesOf(under.replica, id, 'PENDING', 2);
  await superuser.query(
    "update pending_deliveries set due_at = now() + interval '1 h' where endpoint_id = $1",
    [id],
  );
  const [mine, other] = orders.map(({ orderId }) => orderId);
  const span = { id, since, includePending: true, orderId: mine! };
  const { deliveries } = under.replica;
  expect(await deliveries.recoverDeliveries(span)).toMatchObject({ queued: 0, retried: 1 });
  const due = async (orderId: string) =>
    Date.parse((await summaries(organizationId, orderId))[0]!.dueAt);
  expect(await due(mine!)).toBeLessThan(Date.now() + 60_000);
  expect(await due(other!)).toBeGreaterThan(Date.now() + 3_000_000);
});

test('reads the rows of the order alone, by indexes', async () => {
  const { id, organizationId } = await under.endpoint();
  const { events, orderId } = anOrder(organizationId, 5);
  const others = Array.from({ length: 20 }, () => anOrder(organizationId, 5).events).flat();
  await under.stores.publish([...events, ...others]);
  await deliveriesOf(under.replica, id, 'DELIVERED', 50);
  await until(async () => (await summaries(organizationId, orderId))[0]!.delivered === 5, {
    what: 'the deliveries',
  });
  const { superuser } = under.stores;
  await superuser.query('analyze');
  for (const isGeneric of [false, true])
    for (const read of [summarizeOrder, listOrderDeliveries]) {
      let plan: Awaited<ReturnType<typeof explained>> | undefined;
      const explaining = {
        ...superuser,
        query: async (text: string, parameters: readonly unknown[]) => {
          plan ??= await explained(superuser, text, parameters, { isGeneric });
          return [];
        },
      } as Database;
      await read(explaining, { organizationId, orderId });
      const counted =
        read === summarizeOrder ? ['events_', 'deliveries_', 'attempts_'] : ['deliveries_'];
      for (const table of counted) {
        expect([read.name, isGeneric, table, plan!.rows(table)]).toEqual([
          ...[read.name, isGeneric, table],
          5,
        ]);
        for (const way of plan!.ways(table)) expect(way).toMatch(/^Index (?:Only )?Scan$/);
      }
    }
});
