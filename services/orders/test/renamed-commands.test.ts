import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { anOrder, bodyOf, type OrdersUnderTest, startOrdersService } from './orders-service.ts';

let under: OrdersUnderTest;
beforeAll(async () => {
  under = await startOrdersService();
});
afterAll(() => under.stop());

const aDraft = async () => {
  const { id } = bodyOf(await under.orders.createOrder(anOrder({ autoDispatch: false })));
  return { orderId: id };
};

test('submits and cancels by the present names of the RPCs', async () => {
  const circumstances = await aDraft();
  expect((await under.commands.submitOrder({ circumstances })).order?.status).toBe('SUBMITTED');
  const cancelled = await under.commands.cancelOrder({ circumstances, reason: 'no need' });
  expect(cancelled.order).toMatchObject({ status: 'CANCELLED', sequence: 2 });
});

test('submits and cancels by the former names of the RPCs, as a command line of the release before does', async () => {
  const circumstances = await aDraft();
  expect((await under.commands.releaseOrder({ circumstances })).order?.status).toBe('SUBMITTED');
  const cancelled = await under.commands.withdrawOrder({ circumstances, reason: 'no need' });
  expect(cancelled.order).toMatchObject({ status: 'CANCELLED', sequence: 2 });
});
