import { randomUUID } from 'node:crypto';
import { create, toBinary } from '@bufbuild/protobuf';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Bus, busSettings, type OutgoingMessage, openBus } from '@pto/bus';
import { readConfig } from '@pto/config';
import { uuidv7 } from '@pto/database';
import { messageKeys, messageSigner, messageVerifier } from '@pto/message-authentication';
import { CustodyEventSchema } from '@pto/proto/custody/events/v1/custody_event';
import { custodyEventsTopic, orderEventsTopic } from '@pto/proto/topics';
import { createTelemetry } from '@pto/telemetry';
import { until } from '@pto/testing';
import {
  anOrder,
  bodyOf,
  type OrdersUnderTest,
  ordersCustodyKeys,
  startOrdersService,
} from '../orders-service.ts';

let orders: OrdersUnderTest;
let bus: Bus;
beforeAll(async () => {
  orders = await startOrdersService();
  const environment = { BUS_DATABASE_URL: orders.bus.serviceUrl };
  bus = await openBus(
    readConfig(busSettings, environment).settings,
    createTelemetry({ service: 'test', write: () => {} }),
  );
});
afterAll(async () => {
  await bus.close();
  await orders.stop();
});

const keys = messageKeys('ORDERS_CUSTODY_KEYS').parse(ordersCustodyKeys);
const signAsCustody = messageSigner('custody', { orders: keys });

const organizationId = randomUUID();
const report = (orderId: string, sequence: number, eventHash: string): OutgoingMessage => {
  const event = { id: uuidv7(), organizationId, orderId, sequence, type: 'order.submitted' };
  return {
    topic: custodyEventsTopic,
    key: orderId,
    id: event.id,
    type: event.type,
    value: toBinary(CustodyEventSchema, create(CustodyEventSchema, { event, sequence, eventHash })),
  };
};
const headOf = async (orderId: string) =>
  (await orders.evidence.listHeads({ orderIds: [orderId] })).heads[0]!;

test('only a head that custody signed for orders is recorded', async () => {
  const { id } = bodyOf(await orders.orders.createOrder(anOrder({ organizationId })));
  const forged = report(id, 9, 'f'.repeat(64));
  await bus.publish([
    forged,
    messageSigner('orders', { custody: keys })(forged),
    messageSigner('custody', { webhooks: keys })(forged),
    { ...signAsCustody(report(id, 8, 'e'.repeat(64))), id: uuidv7() },
    signAsCustody(report(id, 1, 'a'.repeat(64))),
  ]);
  await until(async () => (await headOf(id)).custodySequence > 0, { what: 'the report' });
  expect(await headOf(id)).toMatchObject({
    custodySequence: 1,
    custodyHeadHash: 'a'.repeat(64),
  });
  const { deadLetters } = await orders.deadLetters.listDeadLetters({});
  expect(deadLetters).toHaveLength(4);
  for (const { reason } of deadLetters) expect(reason).toContain('not authentic');
});

test('a report removes the events up to it from the unreported ones', async () => {
  const { id: orderId } = bodyOf(await orders.orders.createOrder(anOrder({ organizationId })));
  await orders.commands.assignOrder({ circumstances: { orderId }, transportOrganization: 'T' });
  await orders.commands.acceptOrder({ circumstances: { orderId } });
  const unreported = async () => {
    const { events } = await orders.evidence.listUnreportedEvents({ pageSize: 1000 });
    return events.filter((event) => event.orderId === orderId).map(({ sequence }) => sequence);
  };
  expect(await unreported()).toEqual([1, 2, 3]);
  await bus.publish([signAsCustody(report(orderId, 2, 'b'.repeat(64)))]);
  await until(async () => (await unreported()).length === 1, { what: 'the report' });
  expect(await unreported()).toEqual([3]);
});

test('order events are signed for custody', async () => {
  const { id } = bodyOf(await orders.orders.createOrder(anOrder({ organizationId })));
  const published: OutgoingMessage[] = [];
  const subscription = await bus.subscribe({
    group: `test-${id}`,
    topic: orderEventsTopic,
    handle: async (batch) => {
      published.push(...batch.filter(({ key }) => key === id));
    },
  });
  const message = await until(() => published[0], { what: 'the order event' });
  await subscription.stop();
  const verify = messageVerifier({
    sender: 'orders',
    recipient: 'custody',
    keys,
  });
  expect(verify(message)).toBeUndefined();
});
