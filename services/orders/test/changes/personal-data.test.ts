import { fromBinary } from '@bufbuild/protobuf';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { commitmentOf } from '@pto/custody-verifier';
import { type OrderEvent, OrderEventSchema } from '@pto/proto/orders/events/v1/order_event';
import { tablesWith, until } from '@pto/testing';
import { Client } from 'pg';
import { anOrder, bodyOf, type OrdersUnderTest, startOrdersService } from '../orders-service.ts';

let under: OrdersUnderTest;
let other: OrdersUnderTest;
let owner: Client;
beforeAll(async () => {
  under = await startOrdersService();
  other = await startOrdersService({ database: under.database, bus: under.bus });
  owner = new Client(under.database.ownerUrl);
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await Promise.all([under.stop(), other.stop()]);
});

const driver = 'Canary Kern-4711';
const note = 'Canary: der Fahrer "K." war zu spät \u2028';

/** A closed order with two drivers and an incident. */
const closedOrder = async (on = under) => {
  const { organizationId, ...request } = anOrder();
  const { id: orderId } = bodyOf(await on.orders.createOrder({ ...request, organizationId }));
  const circumstances = { orderId };
  const { commands } = on;
  await commands.assignOrder({ circumstances, transportOrganization: 'Blutkurier' });
  await commands.acceptOrder({ circumstances });
  await commands.assignDriver({ circumstances, driver });
  await commands.releaseDriver({ circumstances });
  await commands.assignDriver({ circumstances, driver });
  await commands.startPickup({
    circumstances: { orderId, payloadJson: '{"phone":"+49 30 canary","reference":"R-1"}' },
  });
  await commands.sealOrder({ circumstances, sealIds: ['S-1'] });
  await commands.startTransport({ circumstances });
  await commands.reportIncident({ circumstances, note });
  return { organizationId, orderId, circumstances };
};
const close = async ({ circumstances }: { circumstances: { orderId: string } }) => {
  await under.commands.deliverOrder({ circumstances });
  await under.commands.closeOrder({ circumstances });
};

const disclosuresOf = async ({
  organizationId,
  orderId,
}: {
  organizationId: string;
  orderId: string;
}) => (await under.orders.getSequence({ organizationId, id: orderId })).disclosures;

const eventsOf = async (orderId: string): Promise<OrderEvent[]> => {
  const { rows } = await owner.query<{ value: Buffer }>(
    'select value from outbox where key = $1 order by id',
    [orderId],
  );
  return rows
    .map(({ value }) => fromBinary(OrderEventSchema, value))
    .sort((a, b) => a.sequence - b.sequence);
};

test('an event has a commitment in place of each personal value, with a salt of its own', async () => {
  const order = await closedOrder();
  const disclosures = await disclosuresOf(order);
  expect(
    disclosures.map(({ entry, field, valueJson }) => [entry, field, JSON.parse(valueJson)]),
  ).toEqual([
    [4, 'driver', driver],
    [5, 'driver', driver],
    [6, 'driver', driver],
    [7, 'phone', '+49 30 canary'],
    [10, 'note', note],
  ]);
  const events = await eventsOf(order.orderId);
  for (const { entry, field, valueJson, salt } of disclosures) {
    expect(salt).toMatch(/^[0-9a-f]{64}$/);
    const payload = JSON.parse(events[entry - 1]!.payloadJson);
    expect(payload[field]).toEqual({
      commitment: commitmentOf(field, { value: JSON.parse(valueJson), salt }),
    });
  }
  expect(new Set(disclosures.map(({ salt }) => salt)).size).toBe(5);
  expect(JSON.parse(events[6]!.payloadJson).reference).toBe('R-1');
  expect(await tablesWith(owner, 'Canary: der Fahrer')).toEqual(['disclosures']);
  expect((await tablesWith(owner, driver)).sort()).toEqual(['disclosures', 'orders']);
});

test('an erasure removes values and driver, and appends an entry that names the fields', async () => {
  const order = await closedOrder();
  await close(order);
  const { circumstances, organizationId, orderId } = order;
  const request = { circumstances, fields: ['driver'], reason: 'request 17' };
  const erased = await under.commands.erasePersonalData(request);
  expect(erased.erased.map(({ entry, field }) => [entry, field])).toEqual([
    [4, 'driver'],
    [5, 'driver'],
    [6, 'driver'],
  ]);
  expect(erased.order).toMatchObject({ status: 'CLOSED', sequence: 13 });
  expect(erased.order!.driver).toBeUndefined();
  const left = await disclosuresOf(order);
  expect(left.map(({ field }) => field)).toEqual(['phone', 'note']);
  const last = (await eventsOf(orderId)).at(-1)!;
  expect(last).toMatchObject({ type: 'order.updated', internalType: 'PERSONAL_DATA_ERASED' });
  expect(JSON.parse(last.payloadJson)).toEqual({ erased: { driver: [4, 5, 6] } });
  // the rest, and then nothing is left to erase
  const rest = { circumstances, fields: [], reason: 'request 17' };
  expect((await under.commands.erasePersonalData(rest)).erased).toHaveLength(2);
  expect(await under.commands.erasePersonalData(rest)).toMatchObject({
    erased: [],
    order: { sequence: 14 },
  });
  expect(await under.orders.getSequence({ organizationId, id: orderId })).toMatchObject({
    sequence: 14,
    disclosures: [],
  });
});

test('of concurrent erasures each field is in one entry', async () => {
  const order = await closedOrder();
  await close(order);
  const { circumstances, orderId } = order;
  const erasures = await Promise.all(
    [under, other, under, other].map(({ commands }) =>
      commands.erasePersonalData({ circumstances, fields: [], reason: 'r' }),
    ),
  );
  expect(erasures.map(({ erased }) => erased.length).sort()).toEqual([0, 0, 0, 5]);
  const entries = (await eventsOf(orderId)).filter(
    ({ internalType }) => internalType === 'PERSONAL_DATA_ERASED',
  );
  expect(entries).toHaveLength(1);
});

test('the data of an order under way is not erased', async () => {
  const order = await closedOrder();
  const erase = under.commands.erasePersonalData({
    circumstances: order.circumstances,
    fields: [],
    reason: 'r',
  });
  await expect(erase).rejects.toMatchObject({
    kind: 'ILLEGAL_TRANSITION',
    message: expect.stringContaining('The order is IN_TRANSIT'),
  });
  expect(await disclosuresOf(order)).toHaveLength(5);
});

test.each([
  [{ fields: ['seal_ids'], reason: 'r' }, 'not a personal field; they are '],
  [{ fields: [], reason: '' }, 'expected 1 to 500 characters'],
])('%j is rejected', async (request, reason) => {
  const { circumstances } = await closedOrder();
  await expect(
    under.commands.erasePersonalData({ circumstances, ...request }),
  ).rejects.toMatchObject({ kind: 'VALIDATION', message: expect.stringContaining(reason) });
});

const hash = '9'.repeat(64);
test.each([
  ['{"comment":"x"}', 'not a field of ORDER_ASSIGNED'],
  ['{"constructor":"x"}', 'not a field of ORDER_ASSIGNED'],
  ['{"seal_ids":["S-1"]}', 'not a field of ORDER_ASSIGNED'],
  [`{"reference":{"commitment":"${hash}"}}`, 'must not have the form of a commitment'],
])(
  'a payload %s, which custody would park, is rejected and changes nothing',
  async (payloadJson, reason) => {
    const { organizationId, ...request } = anOrder();
    const { id: orderId } = bodyOf(await under.orders.createOrder({ ...request, organizationId }));
    const assigned = under.commands.assignOrder({
      circumstances: { orderId, payloadJson },
      transportOrganization: 'Blutkurier',
    });
    await expect(assigned).rejects.toMatchObject({
      kind: 'VALIDATION',
      message: expect.stringContaining(reason),
    });
    const { order } = await under.commands.showOrder({ orderId });
    expect(order).toMatchObject({ status: 'SUBMITTED', sequence: 1 });
  },
);

test('a disclosed value cannot be changed, not even by the owner', async () => {
  await closedOrder();
  await expect(owner.query("update disclosures set value = 'x'")).rejects.toThrow(
    'disclosed values are erased, never changed',
  );
});

test('the retention erases old closed orders, and no younger or open ones', async () => {
  const [old, young, open] = [await closedOrder(), await closedOrder(), await closedOrder()];
  await close(old);
  await close(young);
  await owner.query(
    "update orders set last_event_at = '2026-01-01T00:00:00.000Z' where id = any($1)",
    [[old.orderId, open.orderId]],
  );
  const keeping = await startOrdersService({
    database: under.database,
    bus: under.bus,
    environment: { CUSTODY_PERSONAL_RETENTION: '30d' },
  });
  try {
    await until(async () => (await disclosuresOf(old)).length === 0, { what: 'the erasure' });
  } finally {
    await keeping.stop();
  }
  expect((await eventsOf(old.orderId)).at(-1)!.internalType).toBe('PERSONAL_DATA_ERASED');
  expect(await disclosuresOf(young)).toHaveLength(5);
  expect(await disclosuresOf(open)).toHaveLength(5);
});
