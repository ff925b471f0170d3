import { expect, test } from '@jest/globals';
import { uuidv7 } from '@pto/database';
import { until } from '@pto/testing';
import { deliveriesOf, pendingCount, underTest } from '../under-test.ts';
import { eventsOf } from '../webhooks-service.ts';

const under = underTest({ WEBHOOKS_RETRY_WAITS: '10ms,10ms,10ms,10ms,10ms' });

test('newest first, 50 a page, none twice and none missing, in any state', async () => {
  const { id, organizationId, receiver } = await under.endpoint();
  receiver.answer = (_, response, { body }) =>
    response.writeHead(JSON.parse(body).data.order.sequence % 7 === 0 ? 500 : 204).end();
  await under.stores.publish(eventsOf(organizationId, 120));
  await until(
    async () => receiver.received.length >= 120 && (await pendingCount(under.stores)) === 0,
    {
      what: 'all to end',
      deadlineMs: 20_000,
    },
  );
  const { deliveries } = under.replica;
  const read = async (state: string) => {
    const pages: string[][] = [];
    for (let beforeId: string | null = ''; beforeId !== null; ) {
      const page: Awaited<ReturnType<typeof deliveries.listDeliveries>> =
        await deliveries.listDeliveries({ endpointId: id, state, beforeId });
      pages.push(page.deliveries.map((delivery) => delivery.id));
      beforeId = page.nextId || null;
    }
    return pages;
  };
  const all = await read('');
  expect(all.map((page) => page.length)).toEqual([50, 50, 20]);
  expect(all.flat()).toEqual([...new Set(all.flat())].sort().reverse());
  expect((await read('EXHAUSTED')).flat()).toHaveLength(17);
  expect((await read('DELIVERED')).map((page) => page.length)).toEqual([50, 50, 3]);
  expect((await read('PENDING')).flat()).toEqual([]);
});

test('a replay is a new delivery of the same bytes; the old one is untouched', async () => {
  const { id, organizationId, receiver } = await under.endpoint({ answer: 500 });
  await under.stores.publish(eventsOf(organizationId, 1));
  const [old] = await deliveriesOf(under.replica, id, 'EXHAUSTED');
  receiver.answer = 204;
  const { deliveries } = under.replica;
  const { delivery } = await deliveries.replayDelivery({ id: old!.id });
  expect(delivery).toMatchObject({ replayOf: old!.id, state: 'PENDING', endpointId: id });
  expect(delivery!.id).not.toBe(old!.id);
  const [again] = await deliveriesOf(under.replica, id, 'DELIVERED');
  expect(again).toMatchObject({ id: delivery!.id, replayOf: old!.id });
  expect(receiver.received.at(-1)).toMatchObject({
    id: delivery!.id,
    event: 'order.submitted',
    body: receiver.received[0]!.body,
  });
  expect((await deliveries.getDelivery({ id: old!.id })).delivery).toEqual(old);
});

test('there is no replay to an endpoint that is disabled or gone, nor of what never was', async () => {
  const { id, organizationId } = await under.endpoint();
  await under.stores.publish(eventsOf(organizationId, 1));
  const [old] = await deliveriesOf(under.replica, id, 'DELIVERED');
  const { deliveries, webhooks } = under.replica;
  const replay = (which: string) => deliveries.replayDelivery({ id: which });
  await webhooks.updateEndpoint({ id, organizationId, disabled: true });
  await expect(replay(old!.id)).rejects.toMatchObject({ kind: 'ILLEGAL_TRANSITION' });
  await webhooks.deleteEndpoint({ id, organizationId });
  await expect(replay(old!.id)).rejects.toMatchObject({ kind: 'NOT_FOUND' });
  await expect(replay(uuidv7())).rejects.toMatchObject({ kind: 'NOT_FOUND' });
  await expect(replay('nonsense')).rejects.toMatchObject({ kind: 'NOT_FOUND' });
  // what was delivered to a removed endpoint stays in the log
  expect((await deliveries.getDelivery({ id: old!.id })).delivery?.state).toBe('DELIVERED');
});
