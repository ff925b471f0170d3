import { expect, test } from '@jest/globals';
import { uuidv7 } from '@pto/database';
import { until } from '@pto/testing';
import { deliveriesOf, underTest } from '../under-test.ts';
import { eventsOf } from '../webhooks-service.ts';

const under = underTest({ WEBHOOKS_RETRY_WAITS: '2s,2s,2s,2s,2s' }, 2);

const sequences = (posts: readonly { body: string }[], orderId: string): number[] =>
  posts
    .map(({ body }) => JSON.parse(body).data.order)
    .filter((order) => order.id === orderId)
    .map((order) => order.sequence);

test('an event waits for the first attempt of the one before it, and no other order does', async () => {
  const release: (() => void)[] = [];
  const { organizationId, receiver } = await under.endpoint();
  const [held, free] = [uuidv7(), uuidv7()];
  receiver.answer = (_, response, post) => {
    const isHeld = JSON.parse(post.body).data.order.id === held;
    if (isHeld && release.length === 0) release.push(() => response.writeHead(500).end());
    else response.writeHead(204).end();
  };
  await under.stores.publish(eventsOf(organizationId, 4, { orderId: held }));
  await until(() => release.length === 1, { what: 'the first attempt of the held order' });
  await under.stores.publish(eventsOf(organizationId, 4, { orderId: free }));
  await until(() => sequences(receiver.received, free).length === 4, { what: 'the free order' });
  expect(sequences(receiver.received, held)).toEqual([1]);
  release[0]!();
  // the failed first one goes on by its schedule, behind the others
  await until(() => sequences(receiver.received, held).length === 5, { what: 'the held order' });
  expect(sequences(receiver.received, held)).toEqual([1, 2, 3, 4, 1]);
  expect(sequences(receiver.received, free)).toEqual([1, 2, 3, 4]);
});

test('many orders over two replicas, with answers of any length and failures in between', async () => {
  const { id, organizationId, receiver } = await under.endpoint({
    answer: (_, response) => {
      const fails = Math.random() < 0.1;
      setTimeout(() => response.writeHead(fails ? 503 : 204).end(), Math.random() * 30);
    },
  });
  const orders = Array.from({ length: 12 }, () => uuidv7());
  for (let from = 1; from <= 8; from += 2)
    await under.stores.publish(
      orders.flatMap((orderId) => eventsOf(organizationId, 2, { orderId, from })),
    );
  await until(
    () => orders.every((order) => new Set(sequences(receiver.received, order)).size === 8),
    { what: 'all events of all orders' },
  );
  for (const order of orders) {
    const firsts = [...new Set(sequences(receiver.received, order))];
    expect(firsts).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  }
  await until(
    async () =>
      (await under.replica.deliveries.listDeliveries({ endpointId: id, state: 'PENDING' }))
        .deliveries.length === 0,
    { what: 'retries' },
  );
  await deliveriesOf(under.replica, id, 'DELIVERED', 50);
}, 60_000);
