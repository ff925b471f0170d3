import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { tablesWith } from '@pto/testing';
import { Client } from 'pg';
import { type OrdersUnderTest, startOrdersService } from '../orders-service.ts';
import { aHandover, anOrderThat } from './an-order-in-transit.ts';

let under: OrdersUnderTest;
let owner: Client;
beforeAll(async () => {
  under = await startOrdersService();
  owner = new Client(under.database.ownerUrl);
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await under.stop();
});

const operatorsOf = async (orderId: string) => {
  const { operators } = await under.commands.showOrder({ orderId });
  return operators.map(({ entry, name }) => `${entry} ${name}`);
};

test('operators see who made each entry, and no event names an operator', async () => {
  const { orderId, circumstances } = await anOrderThat(under, 'SEALED');
  const scan = aHandover({ methods: ['scan'], scannedSealIds: ['S-9'] });
  await under.commands.recordHandover({ circumstances, ...scan });
  // the partner made the first entry; the handover and its incident are one command
  const entries = Array.from({ length: 7 }, (_, n) => `${n + 2} An Operator`);
  expect(await operatorsOf(orderId)).toEqual(entries);
  expect(await tablesWith(owner, 'An Operator')).toEqual(['entry_operators']);
});

test('the cancellation of a partner names nobody', async () => {
  const { orderId, organizationId } = await anOrderThat(under, 'SUBMITTED');
  await under.orders.cancelOrder({ organizationId, id: orderId, reason: 'r' });
  expect(await operatorsOf(orderId)).toEqual([]);
});
