import { expect, test } from '@jest/globals';
import { eventNames } from '@pto/proto/vocabulary';
import { underTest } from '../under-test.ts';
import { verifySignature } from '../verify-signature.ts';

const under = underTest({ WEBHOOKS_ATTEMPT_TIMEOUT: '500ms' });

test('the same envelope and signer, marked as a test', async () => {
  const { id, organizationId, secret, receiver } = await under.endpoint();
  const result = await under.replica.webhooks.testEndpoint({ id, organizationId });
  expect(result).toMatchObject({ id, delivered: true, statusCode: 204 });
  const [post] = receiver.received;
  expect(post!.event).toBe('order.test');
  expect(await verifySignature(post!.signature, post!.body, secret)).toBe(true);
  expect(JSON.parse(post!.body)).toEqual({
    event: 'order.test',
    occurred_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    data: {
      order: {
        id: '00000000-0000-4000-8000-000000000000',
        external_id: 'TEST',
        status: 'submitted',
        updated_at: expect.any(String),
        sequence: 1,
      },
      test: true,
    },
    links: {
      order: 'https://api.example.com/api/partner/v1/orders/00000000-0000-4000-8000-000000000000',
    },
  });
});

test.each([
  ['a refusal', 500, { delivered: false, statusCode: 500 }],
  ['silence', () => {}, { delivered: false, error: 'timeout' }],
])('%s is reported, tried once and not counted in health', async (_, answer, expected) => {
  const { id, organizationId, receiver } = await under.endpoint({ answer });
  const result = await under.replica.webhooks.testEndpoint({ id, organizationId });
  expect(result).toMatchObject(expected);
  expect(receiver.received).toHaveLength(1);
  const { endpoint } = await under.replica.webhooks.getEndpoint({ id, organizationId });
  expect(endpoint).toMatchObject({ consecutiveFailures: 0, lastFailureAt: '', lastSuccessAt: '' });
  const { deliveries } = await under.replica.deliveries.listDeliveries({ endpointId: id });
  expect(deliveries).toEqual([]);
});

test('it goes out in any status: unverified, disabled and filtered', async () => {
  const { id, organizationId, receiver } = await under.endpoint({ events: ['order.sealed'] });
  const { webhooks } = under.replica;
  receiver.echoes = false;
  const url = `${receiver.url}?moved`;
  const { endpoint } = await webhooks.updateEndpoint({ id, organizationId, url, disabled: true });
  expect(endpoint).toMatchObject({ status: 'PENDING_VERIFICATION', disabled: true });
  expect(await webhooks.testEndpoint({ id, organizationId })).toMatchObject({ delivered: true });
  expect(receiver.received[0]!.path).toBe('/hooks?moved');
});

test('the example of each event is signed, and its signed body marks it as a test', async () => {
  const { id, organizationId, secret, receiver } = await under.endpoint();
  const { webhooks } = under.replica;
  for (const eventType of eventNames)
    await webhooks.testEndpoint({ id, organizationId, eventType });
  expect(receiver.received.map(({ event }) => event)).toEqual(eventNames);
  for (const { event, signature, body, sequence } of receiver.received) {
    expect(await verifySignature(signature, body, secret)).toBe(true);
    expect(sequence).toBeNaN();
    expect(JSON.parse(body)).toMatchObject({
      ...{ event, data: { test: true } },
      data: { order: { id: '00000000-0000-4000-8000-000000000000', external_id: 'TEST' } },
    });
    expect(JSON.parse(body)).not.toHaveProperty('sequence');
  }
  const order = { organizationId, orderId: '00000000-0000-4000-8000-000000000000' };
  expect(await webhooks.listDeliveriesOfOrder(order)).toMatchObject({ deliveries: [] });
});

test('the example of an event that does not exist is not sent', async () => {
  const { id, organizationId, receiver } = await under.endpoint();
  const { webhooks } = under.replica;
  for (const eventType of ['order.x', 'ORDER.SEALED', '__proto__'])
    await expect(webhooks.testEndpoint({ id, organizationId, eventType })).rejects.toThrow(
      'is not an event name',
    );
  expect(receiver.received).toEqual([]);
});

test('the response is returned, but not its body while the URL has returned no nonce', async () => {
  const { id, organizationId, receiver } = await under.endpoint({
    answer: (_, response) => response.writeHead(401).end('stale'),
  });
  const { webhooks } = under.replica;
  const proven = await webhooks.testEndpoint({ id, organizationId });
  expect(proven).toMatchObject({ delivered: false, statusCode: 401, responseBody: 'stale' });
  expect(proven.durationMs).toBeLessThan(3000);
  receiver.echoes = false;
  await webhooks.updateEndpoint({ id, organizationId, url: `${receiver.url}?moved` });
  const unproven = await webhooks.testEndpoint({ id, organizationId });
  expect(unproven).toMatchObject({ statusCode: 401, responseBody: '' });
});
