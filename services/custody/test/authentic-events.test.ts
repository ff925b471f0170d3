import { fromBinary, toBinary } from '@bufbuild/protobuf';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { OutgoingMessage } from '@pto/bus';
import { readConfig } from '@pto/config';
import { messageKeys, messageSigner, messageVerifier } from '@pto/message-authentication';
import { DeadLetterService } from '@pto/proto/bus/v1/dead_letter';
import { CustodyEventSchema } from '@pto/proto/custody/events/v1/custody_event';
import { type OrderEvent, OrderEventSchema } from '@pto/proto/orders/events/v1/order_event';
import { custodyEventsTopic, orderEventsTopic } from '@pto/proto/topics';
import { connectClient } from '@pto/rpc';
import { createTelemetry } from '@pto/telemetry';
import { stores, until } from '@pto/testing';
import { settings } from '../src/config.ts';
import { startCustody } from '../src/service.ts';
import {
  anOrderId,
  anOrganization,
  type CustodyUnderTest,
  custodyWebhooksKeys,
  eventsOf,
  operatorsWire,
  ordersCustodyKeys,
  signAsOrders,
  startCustodyService,
} from './custody-service.ts';

// Kafka where it can run, so that a forger is anyone who may produce to the topic
const brokers: Record<string, string> = { KAFKA_BROKERS: stores().kafka?.join(',') ?? '' };

let custody: CustodyUnderTest;
beforeAll(async () => {
  custody = await startCustodyService(brokers);
});
afterAll(() => custody.stop());

/** Number of messages that the service has rejected. */
const rejectedCount = async (): Promise<number> => {
  const metrics = await custody.telemetry.metrics.metrics();
  return Number(/outcome="rejected"[^}]*\} (\d+)$/m.exec(metrics)?.[1] ?? 0);
};

const ring = (text: string) => messageKeys('RING').parse(text);
const key = (id: string, fill: number) => `${id}:${Buffer.alloc(32, fill).toString('base64')}`;
/** As orders sends it, but without proof. */
const unsigned = (event: OrderEvent): OutgoingMessage => ({
  topic: orderEventsTopic,
  key: event.orderId,
  id: event.id,
  type: event.type,
  value: toBinary(OrderEventSchema, event),
});
const entries = async (
  organizationId: string,
  orderId: string,
  sequence: number,
  of: CustodyUnderTest = custody,
) => {
  const { entries } = await of.custody.listEvents({
    organizationId,
    orderId,
    atLeastSequence: sequence,
  });
  return entries;
};
const rejectedOf = (orderId: string) =>
  until(
    async () => {
      const { deadLetters } = await custody.deadLetters.listDeadLetters({});
      const found = deadLetters.filter((letter) => letter.key === orderId);
      return found.length > 0 && found;
    },
    { what: 'the rejected message' },
  );
const appended = (
  orderId: string,
  sequence: number,
  organizationId: string,
  of: CustodyUnderTest = custody,
) =>
  until(async () => (await entries(organizationId, orderId, sequence, of)).length >= sequence, {
    what: `entry ${sequence}`,
  });

test('a forged event is never an entry, and the genuine one of its number is', async () => {
  const [orderId, organizationId] = [anOrderId(), anOrganization()];
  const [first, genuine] = eventsOf(orderId, organizationId, 2) as [OrderEvent, OrderEvent];
  const forged = unsigned({ ...genuine, type: 'order.delivered', internalType: 'X' });
  await custody.publish([first]);
  await custody.bus.publish([forged]);
  await custody.publish([genuine]);
  await appended(orderId, 2, organizationId);
  const stored = await entries(organizationId, orderId, 2);
  expect(stored.map(({ id, type }) => [id, type])).toEqual([
    [first.id, 'order.submitted'],
    [genuine.id, 'order.updated'],
  ]);
  const [letter, ...others] = await rejectedOf(orderId);
  expect(others).toEqual([]);
  expect(letter).toMatchObject({
    eventId: genuine.id,
    eventType: 'order.delivered',
    reason: 'The message is not authentic: it carries no proof of origin for custody.',
  });
  expect(await rejectedCount()).toBe(1);
  const replayed = await custody.deadLetters.replayDeadLetter({ id: letter!.id });
  expect(replayed.failedId).toBe(letter!.id);
  expect(replayed.reason).toContain('no proof of origin');
  expect(await entries(organizationId, orderId, 2)).toHaveLength(2);
});

test('rejects each proof that is not of this message, pair and key ring', async () => {
  const [orderId, organizationId] = [anOrderId(), anOrganization()];
  const [event, other] = eventsOf(orderId, organizationId, 2) as [OrderEvent, OrderEvent];
  const message = unsigned(event);
  const signed = signAsOrders(message);
  const changed = Buffer.from(signed.value);
  changed[changed.indexOf('order.submitted')]! ^= 1;
  const forgeries: Record<string, OutgoingMessage> = {
    'the key of the other pair': messageSigner('orders', {
      custody: ring(custodyWebhooksKeys),
    })(message),
    'a removed key': messageSigner('orders', { custody: ring(key('k0', 99)) })(message),
    'a proof made for another topic': {
      ...signAsOrders({ ...message, topic: custodyEventsTopic }),
      topic: orderEventsTopic,
    },
    'a changed byte': { ...signed, value: changed },
    "another event's id in the header": { ...signed, id: other.id },
    "another order's key": { ...signed, key: anOrderId() },
    'a custody event of this pair': messageSigner('custody', {
      custody: ring(ordersCustodyKeys),
    })(message),
  };
  const before = await rejectedCount();
  await custody.bus.publish(Object.values(forgeries));
  await until(async () => (await rejectedCount()) === before + Object.keys(forgeries).length, {
    what: 'all forgeries to be rejected',
  });
  await custody.publish([event]);
  await appended(orderId, 1, organizationId);
});

test('announces entries so that orders and webhooks can verify them, each with its own keys', async () => {
  const [orderId, organizationId] = [anOrderId(), anOrganization()];
  const announced: OutgoingMessage[] = [];
  const subscription = await custody.bus.subscribe({
    group: `test-${orderId}`,
    topic: custodyEventsTopic,
    handle: async (batch) => {
      announced.push(...batch.filter((one) => one.key === orderId));
    },
  });
  await custody.publish(eventsOf(orderId, organizationId, 1));
  const message = await until(() => announced[0], { what: 'the announcement' });
  await subscription.stop();
  const verify = (recipient: string, keys: string) =>
    messageVerifier({ sender: 'custody', recipient, keys: ring(keys) })(message);
  expect(verify('orders', ordersCustodyKeys)).toBeUndefined();
  expect(verify('webhooks', custodyWebhooksKeys)).toBeUndefined();
  expect(verify('orders', custodyWebhooksKeys)).toMatch(/does not match/);
  expect(verify('webhooks', ordersCustodyKeys)).toMatch(/does not match/);
  const { event, authentication } = fromBinary(CustodyEventSchema, message.value);
  expect(authentication?.codes).toHaveLength(2);
  expect(event!.authentication).toBeUndefined();
});

/** A further replica on the same stores, with other keys. */
const withReplica = async (
  { environment: of }: CustodyUnderTest,
  ring: string,
  work: (deadLetters: CustodyUnderTest['deadLetters']) => Promise<void>,
): Promise<void> => {
  const environment = { ...of, ORDERS_CUSTODY_KEYS: ring };
  const service = await startCustody(
    readConfig(settings, environment).settings,
    createTelemetry({ service: 'custody', write: () => {} }),
  );
  const deadLetters = connectClient(DeadLetterService, operatorsWire(service));
  await work(deadLetters).finally(() => service.stop());
};

test('a genuine event that a missing key rejected is replayed once the key is there', async () => {
  const [orderId, organizationId] = [anOrderId(), anOrganization()];
  const next = key('k2', 22);
  const [event] = eventsOf(orderId, organizationId, 1) as [OrderEvent];
  await custody.bus.publish([messageSigner('orders', { custody: ring(next) })(unsigned(event))]);
  const [letter] = await rejectedOf(orderId);
  expect(letter!.reason).toContain('the key k2, which ORDERS_CUSTODY_KEYS does not hold');
  await withReplica(custody, `${ordersCustodyKeys},${next}`, async (deadLetters) => {
    const { replayedIds, failedId } = await deadLetters.replayDeadLetter({ id: letter!.id });
    expect([replayedIds, failedId]).toEqual([[letter!.id], '']);
  });
  await appended(orderId, 1, organizationId);
});

test('a rotation with overlap loses nothing, whichever replica verifies', async () => {
  const [old, next] = [ordersCustodyKeys, key('k2', 22)];
  // at each step one replica has the ring of before, the other one that of after, and so has orders
  const rings = [old, `${old},${next}`, `${next},${old}`, next];
  for (const [n, before] of rings.slice(0, -1).entries()) {
    const after = rings[n + 1]!;
    const organizationId = anOrganization();
    const one = await startCustodyService({ ORDERS_CUSTODY_KEYS: before });
    await withReplica(one, after, async () => {
      const orderIds = Array.from({ length: 24 }, anOrderId);
      for (const [m, id] of orderIds.entries()) {
        const sign = messageSigner('orders', { custody: ring(m % 2 === 0 ? before : after) });
        await one.bus.publish([sign(unsigned(eventsOf(id, organizationId, 1)[0]!))]);
      }
      for (const id of orderIds) await appended(id, 1, organizationId, one);
      const { deadLetters } = await one.deadLetters.listDeadLetters({});
      expect(deadLetters).toEqual([]);
    }).finally(() => one.stop());
  }
});
