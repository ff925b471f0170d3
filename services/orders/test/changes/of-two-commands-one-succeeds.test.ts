import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Failure } from '@pto/errors';
import { anOrder, bodyOf, type OrdersUnderTest, startOrdersService } from '../orders-service.ts';

let one: OrdersUnderTest;
let two: OrdersUnderTest;
beforeAll(async () => {
  one = await startOrdersService();
  two = await startOrdersService({ database: one.database, bus: one.bus });
});
afterAll(() => Promise.all([one.stop(), two.stop()]));

const kinds = (results: readonly PromiseSettledResult<unknown>[]) =>
  results.map((r) => (r.status === 'fulfilled' ? 'done' : (r.reason as Failure).kind)).sort();

test('whichever replica each has reached', async () => {
  for (let round = 0; round < 20; round++) {
    const request = anOrder();
    const { id: orderId } = bodyOf(await one.orders.createOrder(request));
    const circumstances = { orderId };
    const assigned = await Promise.allSettled(
      [one, two, one, two].map(({ commands }, n) =>
        commands.assignOrder({ circumstances, transportOrganization: `T-${n}` }),
      ),
    );
    expect(kinds(assigned)).toEqual([
      'ILLEGAL_TRANSITION',
      'ILLEGAL_TRANSITION',
      'ILLEGAL_TRANSITION',
      'done',
    ]);
    const { organizationId } = request;
    const raced = await Promise.allSettled([
      one.commands.acceptOrder({ circumstances }),
      two.commands.declineAssignment({ circumstances }),
      two.orders.cancelOrder({ organizationId, id: orderId, reason: 'r' }),
    ]);
    expect(kinds(raced).filter((kind) => kind === 'done').length).toBeGreaterThanOrEqual(1);
    const { sequence } = await one.orders.getSequence({ organizationId, id: orderId });
    // each command that was done is one event, and nothing else is
    expect(sequence).toBe(2 + kinds(raced).filter((kind) => kind === 'done').length);
  }
});
