import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readConfig } from '@pto/config';
import { Failure } from '@pto/errors';
import { settings } from '../src/config.ts';
import { moveTo } from '../src/moves/move-to.ts';
import type { Orders } from '../src/moves/orders.ts';
import { type CourierUnderTest, phoneOf, startCourierService } from './courier-service.ts';

let under: CourierUnderTest;
beforeAll(async () => {
  under = await startCourierService();
});
afterAll(() => under.stop());

test('moves an order one step, then to a later status, and lists what is possible', async () => {
  const order = await under.newOrder();
  expect(await under.courier.listSteps(order)).toMatchObject({
    status: 'SUBMITTED',
    next: 'ASSIGNED',
    actions: ['to', 'incident', 'escalation'],
  });
  expect((await under.courier.advance(order)).status).toBe('ASSIGNED');
  expect((await under.courier.listSteps(order)).actions).toContain('decline');
  expect((await under.courier.advance({ ...order, to: 'SEALED' })).status).toBe('SEALED');
  expect((await under.courier.advance({ ...order, to: 'SEALED' })).status).toBe('SEALED');
  expect((await under.courier.advance({ ...order, to: 'CLOSED' })).status).toBe('CLOSED');
  await expect(under.courier.advance(order)).rejects.toMatchObject({
    kind: 'ILLEGAL_TRANSITION',
    message: 'The order is CLOSED; no step leads on.',
    details: { status: 'CLOSED' },
  });
  expect((await under.courier.listSteps(order)).next).toBeUndefined();
});

test.each(['SEALED', 'CLOSED'])(
  'a %s order stays as it is for a status that it has passed',
  async (status) => {
    const order = await under.newOrder();
    await under.courier.advance({ ...order, to: status });
    const sequence = async () =>
      (await under.orders.commands.showOrder({ orderId: order.orderId })).order!.sequence;
    const before = await sequence();
    for (const to of ['DRAFT', 'SUBMITTED', 'ASSIGNED'])
      expect((await under.courier.advance({ ...order, to })).status).toBe(status);
    expect(await sequence()).toBe(before);
  },
);

test('ten requests at once for one status take each step once', async () => {
  const order = await under.newOrder();
  const all = Array.from({ length: 10 }, () => under.courier.advance({ ...order, to: 'CLOSED' }));
  for (const { status } of await Promise.all(all)) expect(status).toBe('CLOSED');
  const shown = await under.orders.commands.showOrder({ orderId: order.orderId });
  expect(shown.order!.sequence).toBe(9);
});

test('a step whose response was lost is sent again, and taken once', async () => {
  const { orderId } = await under.newOrder();
  const lost: string[] = [];
  /** Orders, which carries a command out and does not respond to its first call. */
  const { getHandoverCode } = under.orders.orders;
  const losing = new Proxy({ ...under.orders.commands, getHandoverCode } as Orders, {
    get: (commands, rpc: keyof Orders) => async (request: object, options: object) => {
      const call = commands[rpc] as (request: object, options: object) => Promise<object>;
      const response = await call(request, options);
      if (rpc === 'showOrder' || lost.includes(rpc)) return response;
      lost.push(rpc);
      throw new Failure('SERVICE_UNAVAILABLE', 'The connection broke.');
    },
  });
  const deadline = performance.now() + 30_000;
  const { order } = await losing.showOrder({ orderId });
  const moved = await moveTo({ orders: losing, phoneOf }, order!, 'CLOSED', deadline);
  expect([moved.status, moved.sequence, lost.length]).toEqual(['CLOSED', 9, 8]);
});

test('a cancelled order cannot be moved', async () => {
  const order = await under.newOrder();
  await under.orders.orders.cancelOrder({
    organizationId: order.organizationId,
    id: order.orderId,
    reason: 'r',
  });
  for (const [more, message] of [
    [{}, 'The order is CANCELLED; no step leads on.'],
    [{ to: 'SEALED' }, 'The order is CANCELLED and cannot become SEALED.'],
    [{ to: 'DRAFT' }, 'The order is CANCELLED and cannot become DRAFT.'],
  ] as const)
    await expect(under.courier.advance({ ...order, ...more })).rejects.toMatchObject({
      kind: 'ILLEGAL_TRANSITION',
      message,
    });
  expect(await under.courier.listSteps(order)).toMatchObject({ status: 'CANCELLED', actions: [] });
});

test("another organization's order is not found, as an unknown one", async () => {
  const { orderId } = await under.newOrder();
  const organizationId = randomUUID();
  const plan = { case: 'scenario', value: { name: 'auto', stepMs: 0 } } as const;
  const rejections = [orderId, randomUUID()].map(async (id) => {
    const foreign = { orderId: id, organizationId };
    const calls = [
      under.courier.listSteps(foreign),
      under.courier.advance(foreign),
      under.courier.startRun({ ...foreign, plan }),
    ];
    const settled = await Promise.allSettled(calls);
    return settled.map((one) => (one.status === 'rejected' ? one.reason : one.value));
  });
  const [foreign, unknown] = await Promise.all(rejections);
  for (const [n, failure] of foreign!.entries()) {
    expect(failure).toMatchObject({ kind: 'NOT_FOUND', details: { resource: 'order' } });
    expect(failure.message).toBe(unknown![n].message);
  }
  const shown = await under.orders.commands.showOrder({ orderId });
  expect(shown.order!.status).toBe('SUBMITTED');
});

test('production has no courier', () => {
  const environment = { ...under.environment, ENVIRONMENT: 'production' };
  expect(() => readConfig(settings, environment)).toThrow('ENVIRONMENT');
});
