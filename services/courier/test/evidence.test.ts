/** Orders with `required_evidence` (decision 71) are moved to their end. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { evidenceMethods } from '@pto/proto/vocabulary';
import { until } from '@pto/testing';
import { aHandover } from '../../orders/test/changes/an-order-in-transit.ts';
import { asOwner } from '../../orders/test/orders-service.ts';
import { type CourierUnderTest, startCourierService } from './courier-service.ts';

let under: CourierUnderTest;
beforeAll(async () => {
  under = await startCourierService();
});
afterAll(() => under.stop());

const requiring = (evidence: object, more: object = {}) =>
  under.newOrder({ requiredEvidenceJson: JSON.stringify(evidence), ...more });
const shown = async (orderId: string) =>
  (await under.orders.commands.showOrder({ orderId })).order!;
/** The methods of an order's handovers, by stage. */
const recordedIn = async ({ orderId }: { orderId: string }): Promise<Record<string, string[]>> => {
  let recorded = '';
  await asOwner(under.orders.database, async (owner) => {
    const text = 'select recorded_evidence as recorded from orders where id = $1';
    ({ recorded } = (await owner.query(text, [orderId])).rows[0]);
  });
  return JSON.parse(recorded);
};
/** Events from SUBMITTED to CLOSED, without handovers. */
const whole = 9;

test('a run closes an order that requires every method at every stage', async () => {
  const stages = { pickup: evidenceMethods, dropoff: evidenceMethods, return: evidenceMethods };
  const order = await requiring(stages, { goodsTypes: ['blood', 'tissue'] });
  const plan = { case: 'scenario', value: { name: 'auto', stepMs: 5 } } as const;
  await under.courier.startRun({ ...order, plan });
  const runOf = async () => (await under.courier.listSteps(order)).run;
  await until(async () => (await runOf())?.state !== 'running', { what: 'the end of the run' });
  expect(await runOf()).toMatchObject({ state: 'done' });
  // one handover at each stage, also with the code of its page, and no incident of seals that differ
  expect(await shown(order.orderId)).toMatchObject({ status: 'CLOSED', sequence: whole + 3 });
  const recorded = await recordedIn(order);
  for (const stage of Object.keys(stages)) expect(recorded[stage]).toContain('code');
});

test('a code that five wrong ones have locked is waived', async () => {
  const order = await requiring({ pickup: ['code'], dropoff: ['code'] });
  await under.courier.advance({ ...order, to: 'SEALED' });
  const { organizationId, orderId } = order;
  const page = { organizationId, id: orderId, side: 'pickup' };
  const right = Number((await under.orders.orders.getHandoverCode(page)).code);
  for (let n = 1; n <= 5; n++)
    await expect(
      under.orders.commands.recordHandover({
        circumstances: { orderId },
        ...aHandover({ methods: ['code'], code: `${(right + n) % 10_000}`.padStart(4, '0') }),
      }),
    ).rejects.toMatchObject({ kind: 'VALIDATION' });
  expect((await under.courier.advance({ ...order, to: 'CLOSED' })).status).toBe('CLOSED');
  // a waiver at the pick-up, and a handover at the drop-off
  expect(await shown(orderId)).toMatchObject({ sequence: whole + 2 });
  expect(await recordedIn(order)).toEqual({ dropoff: ['code', 'device_signature'] });
});

test('a step at once records what is missing, and no more', async () => {
  const order = await requiring({ pickup: ['pin', 'scan'] });
  await under.courier.advance({ ...order, to: 'SEALED' });
  const { order: sealed } = await under.orders.commands.recordHandover({
    circumstances: { orderId: order.orderId },
    stage: 'pickup',
    from: { party: 'Laboratory', role: 'shipper' },
    to: { party: 'Transport', role: 'courier' },
    methods: ['pin'],
  });
  expect((await under.courier.advance(order)).status).toBe('IN_TRANSIT');
  expect((await shown(order.orderId)).sequence).toBe(sealed!.sequence + 2);
  expect((await under.courier.advance({ ...order, to: 'CLOSED' })).status).toBe('CLOSED');
});

test('a scan of an order without items finds its seal', async () => {
  const order = await requiring({ pickup: ['scan'] }, { goodsTypes: [] });
  expect((await under.courier.advance({ ...order, to: 'CLOSED' })).status).toBe('CLOSED');
  expect((await shown(order.orderId)).sequence).toBe(whole + 1);
});

test('of eight calls at the same moment one records the handover that is missing', async () => {
  for (let round = 0; round < 5; round++) {
    const order = await requiring({ pickup: ['pin', 'photo'] });
    await under.courier.advance({ ...order, to: 'SEALED' });
    const { sequence } = await shown(order.orderId);
    await Promise.all(
      Array.from({ length: 8 }, () => under.courier.advance({ ...order, to: 'IN_TRANSIT' })),
    );
    expect(await shown(order.orderId)).toMatchObject({
      status: 'IN_TRANSIT',
      sequence: sequence + 2,
    });
  }
});
