/** Orders with `required_evidence` (decision 71) are moved to their end. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { evidenceMethods } from '@pto/proto/vocabulary';
import { until } from '@pto/testing';
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
  // one waiver and one handover at each stage, and no incident of seals that differ
  expect(await shown(order.orderId)).toMatchObject({ status: 'CLOSED', sequence: whole + 6 });
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
