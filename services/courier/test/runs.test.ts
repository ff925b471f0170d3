import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { until } from '@pto/testing';
import { type CourierUnderTest, startCourierService } from './courier-service.ts';

let under: CourierUnderTest;
beforeAll(async () => {
  under = await startCourierService();
});
afterAll(() => under.stop());

type Ids = Awaited<ReturnType<CourierUnderTest['newOrder']>>;
const runOf = async (order: Ids) => (await under.courier.listSteps(order)).run;
const overBy = (order: Ids, state: string) =>
  until(async () => (await runOf(order))?.state === state, { what: state, deadlineMs: 20_000 });
const shown = async ({ orderId }: Ids) =>
  (await under.orders.commands.showOrder({ orderId })).order!;
const step = (kind: string, value = '', afterMs = 0) => ({ kind, value, afterMs });
const script = (...steps: ReturnType<typeof step>[]) =>
  ({ plan: { case: 'script', value: { steps } } }) as const;

/** Events of an order from SUBMITTED to CLOSED. */
const whole = 9;

describe.each([
  ['auto', whole],
  ['decline', whole + 2],
  ['driver_dropped', whole + 2],
  ['incident', whole + 1],
  ['escalation', whole + 1],
  ['late_seal', whole],
  ['tampered_proof', whole],
  ['offline_gap', whole + 2],
  ['revoked_device', whole + 1],
])('the scenario %s', (name, events) => {
  test('closes the order', async () => {
    const order = await under.newOrder();
    const plan = { case: 'scenario', value: { name, stepMs: 5 } } as const;
    await under.courier.startRun({ ...order, plan });
    await overBy(order, 'done');
    expect(await shown(order)).toMatchObject({ status: 'CLOSED', sequence: events });
    const run = await runOf(order);
    expect([run?.plan, run?.nextAt, run?.reason]).toEqual([name, undefined, undefined]);
  });
});

test('no reader sees a run that is done beside an earlier status', async () => {
  const plan = { case: 'scenario', value: { name: 'auto', stepMs: 0 } } as const;
  const seen = new Set<string>();
  const watch = async (order: Ids): Promise<void> => {
    for (;;) {
      const { run, status } = await under.courier.listSteps(order);
      if (run?.state !== 'running') return void seen.add(`${run?.state} ${status}`);
    }
  };
  const orders = await Promise.all(Array.from({ length: 3 }, () => under.newOrder()));
  for (const order of orders) {
    await under.courier.startRun({ ...order, plan });
    await Promise.all(Array.from({ length: 2 }, () => watch(order)));
  }
  expect([...seen]).toEqual(['done CLOSED']);
});

test('takes the steps of a script', async () => {
  const order = await under.newOrder();
  const steps = [step('to', 'DRIVER_ASSIGNED'), step('release_driver'), step('incident', 'i', 100)];
  await under.courier.startRun({ ...order, ...script(...steps) });
  await overBy(order, 'done');
  expect(await shown(order)).toMatchObject({ status: 'ACCEPTED', sequence: 6 });
});

test('a run waits for its delay, and says until when', async () => {
  const order = await under.newOrder();
  await under.courier.startRun({ ...order, ...script(step('to', 'ASSIGNED', 86_400_000)) });
  const run = await runOf(order);
  expect(run).toMatchObject({ state: 'running', taken: 0, count: 1 });
  const left = Date.parse(run!.nextAt!) - Date.now();
  expect(Math.abs(left - 86_400_000)).toBeLessThan(60_000);
});

test('a cancelled order ends its run, and the run says why', async () => {
  const order = await under.newOrder();
  await under.courier.startRun({ ...order, ...script(step('to', 'SEALED', 500)) });
  await under.orders.orders.cancelOrder({
    organizationId: order.organizationId,
    id: order.orderId,
    reason: 'r',
  });
  await overBy(order, 'ended');
  expect((await runOf(order))!.reason).toBe('The order is CANCELLED and cannot become SEALED.');
});

test('a step whose status the order has reached is skipped', async () => {
  const order = await under.newOrder();
  await under.courier.advance({ ...order, to: 'SEALED' });
  const steps = [step('to', 'ASSIGNED'), step('to', 'IN_TRANSIT')];
  await under.courier.startRun({ ...order, ...script(...steps) });
  await overBy(order, 'done');
  expect(await shown(order)).toMatchObject({ status: 'IN_TRANSIT', sequence: 7 });
});

test('a second start for a creation starts no second run; a script replaces the run', async () => {
  const order = await under.newOrder();
  const first = { ...order, ...script(step('to', 'CLOSED', 86_400_000)), unlessStarted: true };
  await under.courier.startRun(first);
  await under.courier.startRun({ ...order, ...script(step('to', 'SEALED')), unlessStarted: true });
  expect(await runOf(order)).toMatchObject({ state: 'running', taken: 0 });
  expect((await shown(order)).status).toBe('SUBMITTED');
  await under.courier.startRun({ ...order, ...script(step('to', 'ASSIGNED')) });
  await overBy(order, 'done');
  expect((await shown(order)).status).toBe('ASSIGNED');
});

test('a script at the bounds is accepted, and one beyond them is not', async () => {
  const order = await under.newOrder();
  const many = (count: number) =>
    Array.from({ length: count }, () => step('to', 'CLOSED', 86_400_000));
  await under.courier.startRun({ ...order, ...script(...many(50)) });
  const beyond = [
    many(51),
    [],
    [step('to', 'CLOSED', 86_400_001)],
    [step('to', 'CANCELLED')],
    [step('cancel')],
    [step('incident', 'x'.repeat(2001))],
    [step('escalation')],
  ];
  for (const steps of beyond)
    await expect(under.courier.startRun({ ...order, ...script(...steps) })).rejects.toMatchObject({
      kind: 'VALIDATION',
    });
  const longest = step('incident', 'x'.repeat(2000), 86_400_000);
  await under.courier.startRun({ ...order, ...script(longest) });
});

test('two replicas take no step twice', async () => {
  const other = await under.startReplica();
  try {
    const orders = await Promise.all(Array.from({ length: 3 }, () => under.newOrder()));
    const steps = Array.from({ length: 5 }, (_, n) => step('incident', `${n}`));
    await Promise.all(
      orders.map((order) => under.courier.startRun({ ...order, ...script(...steps) })),
    );
    for (const order of orders) {
      await overBy(order, 'done');
      expect((await shown(order)).sequence).toBe(1 + steps.length);
    }
  } finally {
    await other.stop();
  }
}, 60_000);
