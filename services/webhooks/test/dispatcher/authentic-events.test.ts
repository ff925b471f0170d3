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
