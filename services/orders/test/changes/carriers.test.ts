/** What a carrier's dispatcher sees and does: the carrier's own orders alone (decision 84). */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { pngPicture } from '@pto/testing';
import { type OrdersUnderTest, startOrdersService } from '../orders-service.ts';
import { aHandover, anOrderThat } from './an-order-in-transit.ts';

let under: OrdersUnderTest;
let commands: OrdersUnderTest['commands'];
beforeAll(async () => {
  under = await startOrdersService();
  commands = under.commands;
});
afterAll(() => under.stop());

const notFound = { kind: 'NOT_FOUND' };
/** An order assigned to a carrier, and calls of its dispatcher. */
const anOrderOf = async (carrierId = randomUUID()) => {
  const order = await anOrderThat(under, 'SUBMITTED');
  const { circumstances } = order;
  await commands.assignOrder({ circumstances, transportOrganization: 'B', carrierId });
  await commands.updateOrder({ circumstances, priceTotal: '12.50' });
  return { ...order, carrierId, calling: { party: { carrierId } } };
};
type Rpc = keyof OrdersUnderTest['commands'];
const steps: readonly (readonly [Rpc, object])[] = [
  ['acceptOrder', {}],
  ['assignDriver', { driver: 'Kim', driverId: randomUUID() }],
  ['recordArrival', { stop: 'pickup' }],
  ['startPickup', {}],
  ['sealOrder', { sealIds: ['S-1', 'S-2'] }],
  ['startTransport', {}],
  ['recordHandover', { ...aHandover({ stage: 'dropoff', methods: ['id_checked'] }) }],
  [
    'reportIncident',
    { note: 'a dent', artifact: { content: pngPicture(2), mediaType: 'image/png' } },
  ],
  ['deliverOrder', {}],
];
type Call = (request: object, options?: object) => Promise<{ order?: { priceTotal?: string } }>;
const call = (rpc: Rpc) => commands[rpc] as Call;

test('a carrier takes its order to the delivery, and sees no price', async () => {
  const { orderId, circumstances, calling } = await anOrderOf();
  for (const [rpc, fields] of steps) {
    const { order } = await call(rpc)({ circumstances, ...fields }, calling);
    expect([rpc, order!.priceTotal]).toEqual([rpc, undefined]);
  }
  const shown = await commands.showOrder({ orderId }, calling);
  expect(shown.order).toMatchObject({ status: 'DELIVERED' });
  expect(shown.order!.priceTotal).toBeUndefined();
  expect([shown.disclosures, shown.operators]).toEqual([[], []]);
  expect((await commands.showOrder({ orderId })).order!.priceTotal).toBe('12.50');
});

test.each(steps)("another carrier's %s finds no order, at each step of its life", async (rpc) => {
  const { orderId, circumstances, calling } = await anOrderOf();
  const stranger = { party: { carrierId: randomUUID() } };
  const before = steps.findIndex(([one]) => one === rpc);
  for (const [one, fields] of steps.slice(0, before))
    await call(one)({ circumstances, ...fields }, calling);
  const [, fields] = steps[before]!;
  await expect(call(rpc)({ circumstances, ...fields }, stranger)).rejects.toMatchObject(notFound);
  await expect(commands.showOrder({ orderId }, stranger)).rejects.toMatchObject(notFound);
  await call(rpc)({ circumstances, ...fields }, calling);
});

test('a list has the orders of the carrier alone', async () => {
  const mine = await anOrderOf();
  await anOrderOf();
  const listed = async () =>
    (await commands.listOpenOrders({}, mine.calling)).orders.map(({ id }) => id);
  expect(await listed()).toEqual([mine.orderId]);
  await commands.declineAssignment({ circumstances: mine.circumstances }, mine.calling);
  expect(await listed()).toEqual([]);
  const again = commands.acceptOrder({ circumstances: mine.circumstances }, mine.calling);
  await expect(again).rejects.toMatchObject(notFound);
});

test('of an acceptance and an assignment to another carrier at once, one wins', async () => {
  for (let n = 0; n < 10; n++) {
    const { orderId, circumstances, calling } = await anOrderOf();
    await commands.declineAssignment({ circumstances });
    const outcomes = await Promise.allSettled([
      commands.acceptOrder({ circumstances }, calling),
      commands.assignOrder({
        ...{ circumstances, transportOrganization: 'C', carrierId: randomUUID() },
      }),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    expect((await commands.showOrder({ orderId })).order!.status).toBe('ASSIGNED');
  }
});
