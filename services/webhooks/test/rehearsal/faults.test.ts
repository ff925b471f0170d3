/** The faults of a rehearsal, as a receiver sees them (decision 67). */
import { expect, test } from '@jest/globals';
import { uuidv7 } from '@pto/database';
import { until } from '@pto/testing';
import { deliveriesOf, pendingCount, type TestEndpoint, underTest } from '../under-test.ts';
import { eventsOf } from '../webhooks-service.ts';

const under = underTest({ WEBHOOKS_RETRY_WAITS: '100ms,100ms,100ms,100ms,100ms' }, 2);
const hour = 3_600_000;

const rehearse = ({ organizationId, id }: TestEndpoint, faults: string[], more: object = {}) =>
  under.replica.webhooks.setRehearsal({
    organizationId,
    endpointId: id,
    speed: 1,
    faults,
    forMs: hour,
    ...more,
  });
const sequencesOf = ({ receiver }: TestEndpoint) => receiver.received.map((one) => one.sequence);

test('duplicate: each delivery arrives twice with one id, and its attempts say so', async () => {
  const endpoint = await under.endpoint();
  await rehearse(endpoint, ['duplicate']);
  await under.stores.publish(eventsOf(endpoint.organizationId, 3));
  const delivered = await deliveriesOf(under.replica, endpoint.id, 'DELIVERED', 3);
  const { received } = endpoint.receiver;
  expect(received).toHaveLength(6);
  for (const { id, attempts } of delivered) {
    const posts = received.filter((one) => one.id === id);
    expect(posts).toHaveLength(2);
    expect(new Set(posts.map(({ body }) => body)).size).toBe(1);
    expect(attempts.map(({ statusCode, error }) => [statusCode, error])).toEqual([
      [204, 'duplicate'],
      [204, ''],
    ]);
  }
  const { organizationId, id } = endpoint;
  const shown = (await under.replica.webhooks.getEndpoint({ organizationId, id })).endpoint!;
  expect([shown.consecutiveFailures, shown.lastFailureAt]).toEqual([0, '']);
});

test('duplicate: a delivery keeps its six attempts, and one more repeats the success', async () => {
  const endpoint = await under.endpoint();
  const { receiver } = endpoint;
  receiver.answer = (_, response) =>
    response.writeHead(receiver.received.length < 6 ? 500 : 204).end();
  await rehearse(endpoint, ['duplicate']);
  await under.stores.publish(eventsOf(endpoint.organizationId, 1));
  const [delivery] = await deliveriesOf(under.replica, endpoint.id, 'DELIVERED');
  expect(delivery!.attempts.map((one) => one.error)).toEqual(['', '', '', '', '', 'duplicate', '']);
  expect(receiver.received).toHaveLength(7);
});

test('late: a delivery is due 30 s after its event, divided by the speed', async () => {
  const endpoint = await under.endpoint();
  await rehearse(endpoint, ['late']);
  await under.stores.publish(eventsOf(endpoint.organizationId, 1));
  const [held] = await deliveriesOf(under.replica, endpoint.id, 'PENDING');
  expect(Date.parse(held!.dueAt) - Date.parse(held!.createdAt)).toBe(30_000);
  await rehearse(endpoint, ['late'], { speed: 60 });
  await under.stores.publish(eventsOf(endpoint.organizationId, 1));
  const [, second] = await deliveriesOf(under.replica, endpoint.id, 'DELIVERED', 2);
  const delay = Date.parse(second!.attempts[0]!.at) - Date.parse(second!.createdAt);
  expect(delay).toBeGreaterThanOrEqual(500);
  // the first one was sent when the rehearsal was replaced
  expect(sequencesOf(endpoint)).toEqual([1, 2]);
});

test('reorder: a delivery waits for the next one of the stream, which arrives first', async () => {
  const endpoint = await under.endpoint();
  const { organizationId } = endpoint;
  await rehearse(endpoint, ['reorder'], { speed: 60 });
  const orderId = uuidv7();
  await under.stores.publish(eventsOf(organizationId, 1, { orderId }));
  const [first] = await deliveriesOf(under.replica, endpoint.id, 'PENDING');
  expect(Date.parse(first!.dueAt) - Date.parse(first!.createdAt)).toBe(120_000);
  await under.stores.publish(eventsOf(organizationId, 1, { orderId, from: 2 }));
  await deliveriesOf(under.replica, endpoint.id, 'DELIVERED', 2);
  expect(sequencesOf(endpoint)).toEqual([2, 1]);
  await under.stores.publish(eventsOf(organizationId, 4, { orderId, from: 3 }));
  await deliveriesOf(under.replica, endpoint.id, 'DELIVERED', 6);
  const sent = sequencesOf(endpoint).slice(2);
  expect(sent.indexOf(4)).toBeLessThan(sent.indexOf(3));
  expect(sent.indexOf(6)).toBeLessThan(sent.indexOf(5));
});

test('the end of a rehearsal sends what it holds back', async () => {
  const endpoint = await under.endpoint();
  await rehearse(endpoint, ['reorder', 'late']);
  await under.stores.publish(eventsOf(endpoint.organizationId, 1));
  await deliveriesOf(under.replica, endpoint.id, 'PENDING');
  await rehearse(endpoint, [], { forMs: 0 });
  await until(() => endpoint.receiver.received.length === 1, { what: 'the delivery' });
});

test('a rehearsal ends at ends_at: nothing is held back longer, and nothing arrives twice', async () => {
  const endpoint = await under.endpoint();
  const { organizationId, id: endpointId } = endpoint;
  const { rehearsal } = await rehearse(endpoint, ['reorder', 'duplicate'], { forMs: 1500 });
  await under.stores.publish(eventsOf(organizationId, 1));
  const [first] = await deliveriesOf(under.replica, endpointId, 'DELIVERED');
  expect(Date.parse(first!.attempts[0]!.at)).toBeGreaterThanOrEqual(Date.parse(rehearsal!.endsAt));
  expect(first!.attempts).toHaveLength(1);
  const shown = await under.replica.webhooks.getRehearsal({ organizationId, endpointId });
  expect(shown.rehearsal).toMatchObject({ speed: 1, faults: [], endsAt: '' });
  await under.stores.publish(eventsOf(organizationId, 1));
  await deliveriesOf(under.replica, endpointId, 'DELIVERED', 2);
  expect(sequencesOf(endpoint)).toEqual([1, 2]);
});

test('an endpoint without a rehearsal gets each delivery once, in the order of its stream', async () => {
  const organizationId = (await under.endpoint()).organizationId;
  const [rehearsed, other] = [
    await under.endpoint({ organizationId }),
    await under.endpoint({ organizationId }),
  ];
  await rehearse(rehearsed, ['duplicate', 'reorder']);
  await under.stores.publish(eventsOf(organizationId, 6));
  await deliveriesOf(under.replica, rehearsed.id, 'DELIVERED', 6);
  expect(rehearsed.receiver.received).toHaveLength(12);
  expect(sequencesOf(other)).toEqual([1, 2, 3, 4, 5, 6]);
  await until(async () => (await pendingCount(under.stores)) === 0, { what: 'an empty queue' });
});
