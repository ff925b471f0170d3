/** The records of carrier and driver that an order has beside their names. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type OrdersUnderTest, startOrdersService } from '../orders-service.ts';
import { anOrderThat } from './an-order-in-transit.ts';

let under: OrdersUnderTest;
beforeAll(async () => {
  under = await startOrdersService();
});
afterAll(() => under.stop());

const recordsOf = async (orderId: string) => {
  const { order } = await under.commands.showOrder({ orderId });
  const { transportOrganization, carrierId, driver, driverId } = order!;
  const listed = (await under.commands.listOpenOrders({})).orders.find(({ id }) => id === orderId);
  if (listed) expect([listed.carrierId, listed.driverId]).toEqual([carrierId, driverId]);
  return [transportOrganization, carrierId, driver, driverId];
};

test('an order keeps record and name, and loses both when they end', async () => {
  const { orderId, circumstances, organizationId } = await anOrderThat(under, 'SUBMITTED');
  const [carrierId, driverId] = [randomUUID(), randomUUID()];
  const { commands } = under;
  const carrier = { transportOrganization: 'Blutkurier', carrierId };
  await commands.assignOrder({ circumstances, ...carrier });
  expect(await recordsOf(orderId)).toEqual(['Blutkurier', carrierId, undefined, undefined]);
  await commands.declineAssignment({ circumstances });
  expect(await recordsOf(orderId)).toEqual([undefined, undefined, undefined, undefined]);
  await commands.assignOrder({ circumstances, ...carrier });
  await commands.acceptOrder({ circumstances });
  await commands.assignDriver({ circumstances, driver: 'Kim', driverId });
  expect(await recordsOf(orderId)).toEqual(['Blutkurier', carrierId, 'Kim', driverId]);
  const { body } = await under.orders.getOrder({ organizationId, id: orderId });
  for (const id of [carrierId, driverId]) expect(`${Buffer.from(body)}`).not.toContain(id);
  await commands.releaseDriver({ circumstances });
  expect(await recordsOf(orderId)).toEqual(['Blutkurier', carrierId, undefined, undefined]);
  // a name alone after a record
  await commands.assignDriver({ circumstances, driver: 'Robin' });
  expect(await recordsOf(orderId)).toEqual(['Blutkurier', carrierId, 'Robin', undefined]);
});

test('an erasure of the driver erases the record, too, and leaves that of the carrier', async () => {
  const { orderId, circumstances } = await anOrderThat(under, 'SUBMITTED');
  const [carrierId, driverId] = [randomUUID(), randomUUID()];
  const { commands } = under;
  await commands.assignOrder({ circumstances, transportOrganization: 'Blutkurier', carrierId });
  await commands.acceptOrder({ circumstances });
  await commands.assignDriver({ circumstances, driver: 'Kim', driverId });
  await commands.cancelOrder({ circumstances, reason: 'r' });
  await commands.erasePersonalData({ circumstances, fields: ['driver'], reason: 'r' });
  expect(await recordsOf(orderId)).toEqual(['Blutkurier', carrierId, undefined, undefined]);
});

test.each([
  ['assignOrder', { transportOrganization: 'T', carrierId: 'x' }, 'carrier_id'],
  ['assignOrder', { carrierId: randomUUID() }, 'transport_organization'],
] as const)('%s with %j is rejected', async (rpc, request, field) => {
  const { circumstances } = await anOrderThat(under, 'SUBMITTED');
  await expect(under.commands[rpc]({ circumstances, ...request })).rejects.toMatchObject({
    kind: 'VALIDATION',
    details: { detail: [{ loc: [field] }] },
  });
});
