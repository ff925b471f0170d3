import { create, toBinary } from '@bufbuild/protobuf';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Bus, busSettings, openBus } from '@pto/bus';
import { readConfig } from '@pto/config';
import { uuidv7 } from '@pto/database';
import { messageKeys, messageSigner } from '@pto/message-authentication';
import { CustodyEventSchema } from '@pto/proto/custody/events/v1/custody_event';
import { custodyEventsTopic } from '@pto/proto/topics';
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
  const { settings } = readConfig(busSettings, { BUS_DATABASE_URL: orders.bus.serviceUrl });
  bus = await openBus(settings, createTelemetry({ service: 'test', write: () => {} }));
});
afterAll(async () => {
  await bus.close();
  await orders.stop();
});

const keys = messageKeys('ORDERS_CUSTODY_KEYS').parse(ordersCustodyKeys);
const signAsCustody = messageSigner('custody', { orders: keys });

/** Reports an entry as custody does. */
const report = (
  { organizationId, orderId }: { organizationId: string; orderId: string },
  sequence: number,
  entry: { type: string; internalType: string; payloadJson: string },
) => {
  const event = { id: uuidv7(), organizationId, orderId, sequence, ...entry };
  const message = create(CustodyEventSchema, { event, sequence, eventHash: 'a'.repeat(64) });
  return bus.publish([
    signAsCustody({
      topic: custodyEventsTopic,
      key: orderId,
      id: event.id,
      type: entry.type,
      value: toBinary(CustodyEventSchema, message),
    }),
  ]);
};

/** An order whose entries 4, 5 and 6 have a driver. */
const anOrderWithDrivers = async () => {
  const { organizationId, ...request } = anOrder();
  const { id: orderId } = bodyOf(await orders.orders.createOrder({ ...request, organizationId }));
  const circumstances = { orderId };
  await orders.commands.assignOrder({ circumstances, transportOrganization: 'T' });
  await orders.commands.acceptOrder({ circumstances });
  await orders.commands.assignDriver({ circumstances, driver: 'Canary Kern' });
  await orders.commands.releaseDriver({ circumstances });
  await orders.commands.assignDriver({ circumstances, driver: 'Canary Kern', driverId: uuidv7() });
  const shown = async () => {
    const { order } = await orders.commands.showOrder({ orderId });
    const { disclosures } = await orders.orders.getSequence({ organizationId, id: orderId });
    const hasRecord = order!.driverId !== undefined;
    return { driver: order!.driver, hasRecord, entries: disclosures.map(({ entry }) => entry) };
  };
  const head = async () =>
    (await orders.evidence.listHeads({ orderIds: [orderId] })).heads[0]!.custodySequence;
  return { organizationId, orderId, shown, head };
};

test('a value that an entry of the ledger names as erased is erased again', async () => {
  const erased = await anOrderWithDrivers();
  const other = await anOrderWithDrivers();
  // the database has the values, and no event of their erasure: it was restored to an earlier moment
  await report(erased, 13, {
    type: 'order.updated',
    internalType: 'PERSONAL_DATA_ERASED',
    payloadJson: '{"erased":{"driver":[4]}}',
  });
  await until(async () => (await erased.head()) === 13, { what: 'the report' });
  expect(await erased.shown()).toEqual({ driver: undefined, hasRecord: false, entries: [5, 6] });
  expect(await other.shown()).toEqual({
    driver: 'Canary Kern',
    hasRecord: true,
    entries: [4, 5, 6],
  });
});

test('an update that erases nothing leaves every value', async () => {
  const order = await anOrderWithDrivers();
  await report(order, 7, {
    type: 'order.updated',
    internalType: 'ORDER_UPDATED',
    payloadJson: '{"erased":{"driver":[4]}}',
  });
  await until(async () => (await order.head()) === 7, { what: 'the report' });
  expect(await order.shown()).toEqual({
    driver: 'Canary Kern',
    hasRecord: true,
    entries: [4, 5, 6],
  });
});
