import { toBinary } from '@bufbuild/protobuf';
import { expect, test } from '@jest/globals';
import type { OutgoingMessage } from '@pto/bus';
import { messageKeys, messageSigner } from '@pto/message-authentication';
import { type CustodyEvent, CustodyEventSchema } from '@pto/proto/custody/events/v1/custody_event';
import { custodyEventsTopic } from '@pto/proto/topics';
import { until } from '@pto/testing';
import { pendingCount, underTest } from '../under-test.ts';
import { custodyWebhooksKeys, eventsOf, signAsCustody } from '../webhooks-service.ts';

const under = underTest();
const ring = (text: string) => messageKeys('RING').parse(text);

const unsigned = (custody: CustodyEvent): OutgoingMessage => ({
  topic: custodyEventsTopic,
  key: custody.event!.orderId,
  id: custody.event!.id,
  type: custody.event!.type,
  value: toBinary(CustodyEventSchema, custody),
});

test('a forged custody event is never delivered, and the genuine one of its id is', async () => {
  const { organizationId, receiver } = await under.endpoint();
  const [genuine, other] = eventsOf(organizationId, 2) as [CustodyEvent, CustodyEvent];
  const [forged] = eventsOf(organizationId, 1, { type: 'order.delivered' }) as [CustodyEvent];
  forged.event = { ...genuine.event!, type: 'order.delivered' };
  const forgeries = [
    unsigned(forged),
    // with the key that custody shares with orders
    messageSigner('custody', {
      webhooks: ring(`k1:${Buffer.alloc(32, 11).toString('base64')}`),
    })(unsigned(forged)),
    // as orders, or for orders, with the right key
    messageSigner('orders', { webhooks: ring(custodyWebhooksKeys) })(unsigned(forged)),
    messageSigner('custody', { orders: ring(custodyWebhooksKeys) })(unsigned(forged)),
    { ...signAsCustody(unsigned(other)), id: genuine.event!.id },
  ];
  await under.stores.send(forgeries);
  await under.stores.publish([genuine, other]);
  await until(() => receiver.received.length === 2, { what: 'the genuine events' });
  await until(async () => (await pendingCount(under.stores)) === 0, { what: 'all to end' });
  expect(receiver.received.map(({ event }) => event)).toEqual(['order.submitted', 'order.updated']);
  const { deadLetters } = await under.replica.deadLetters.listDeadLetters({});
  expect(deadLetters).toHaveLength(forgeries.length);
  for (const { reason } of deadLetters) expect(reason).toContain('The message is not authentic');
  const { failedId } = await under.replica.deadLetters.replayDeadLetter({
    id: deadLetters[0]!.id,
  });
  expect(failedId).toBe(deadLetters[0]!.id);
  expect(receiver.received).toHaveLength(2);
});

test('a genuine event that is published again after the inbox has forgotten it is not delivered', async () => {
  const { organizationId, receiver } = await under.endpoint();
  const [old, present] = eventsOf(organizationId, 2) as [CustodyEvent, CustodyEvent];
  const at = (Date.now() - 17 * 86_400_000).toString(16).padStart(12, '0');
  old.event!.id = `${at.slice(0, 8)}-${at.slice(8)}${old.event!.id.slice(13)}`;
  old.event!.orderId = present.event!.orderId.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'));
  await under.stores.publish([old, present]);
  await until(() => receiver.received.length === 1, { what: 'the present event' });
  const { deadLetters } = await under.replica.deadLetters.listDeadLetters({});
  const parked = deadLetters.find(({ eventId }) => eventId === old.event!.id);
  expect(parked?.reason).toContain('15 days ago');
  expect(receiver.received.map(({ event }) => event)).toEqual(['order.updated']);
  // an operator who knows that webhooks was behind for that long replays it
  await under.replica.deadLetters.replayDeadLetter({ id: parked!.id });
  await until(() => receiver.received.length === 2, { what: 'the replayed event' });
});
