/** What the sandbox guide says of the scenarios (decision 64), of drafts and of notes. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { Failure } from '@pto/errors';
import { tlsOf } from '@pto/testing';
import { asOwner } from '../../orders/test/orders-service.ts';
import { type Orders, openOrders } from '../src/moves/orders.ts';
import { scenarioSteps } from '../src/plan/scenarios.ts';
import type { Step } from '../src/plan/steps.ts';
import { findRun, startRun } from '../src/runs/store.ts';
import { takeDueSteps } from '../src/runs/work.ts';
import { type CourierDatabase, openCourierDatabase } from './courier-database.ts';
import { type CourierUnderTest, phoneOf, startCourierService } from './courier-service.ts';

let under: CourierUnderTest;
let store: CourierDatabase;
let sent: string[];
let orders: Orders;
beforeAll(async () => {
  under = await startCourierService();
  const real = openOrders({
    urls: [`https://127.0.0.1:${under.orders.service.connectPort}`],
    ...{ server: 'orders', tls: tlsOf('courier') },
  });
  /** The real orders; `sent` has the names of the commands. */
  orders = new Proxy(real, {
    get: (commands, rpc: keyof Orders) => {
      if (rpc !== 'showOrder') sent.push(rpc);
      return commands[rpc];
    },
  });
});
afterAll(() => under.stop());
beforeEach(async () => {
  sent = [];
  store = await openCourierDatabase();
});
afterEach(() => store.stop());

type Ids = Awaited<ReturnType<CourierUnderTest['newOrder']>>;
const start = (order: Ids, plan: string, steps: readonly Step[]) =>
  startRun(store.db, { ...order, plan, steps }, { unlessStarted: false });
/** Takes the next step, whenever it is due. */
const takeNext = async () => {
  await store.endLeases();
  return takeDueSteps(store.db, { orders, phoneOf });
};
const shown = async ({ orderId }: Ids) => (await orders.showOrder({ orderId })).order!;
const walked = async (name: string) => {
  const order = await under.newOrder();
  await start(order, name, scenarioSteps(name, 0));
  while ((await takeNext()) > 0);
  return shown(order);
};

test('in the scenario decline a second transport organization accepts', async () => {
  const { status, transportOrganization } = await walked('decline');
  expect([status, transportOrganization]).toEqual(['CLOSED', 'Walking Transport 2']);
  expect(sent.slice(0, 4)).toEqual([
    ...['assignOrder', 'declineAssignment', 'assignOrder', 'acceptOrder'],
  ]);
});

test('in the scenario driver_dropped a second driver drives for the first organization', async () => {
  const { transportOrganization, driver } = await walked('driver_dropped');
  expect([transportOrganization, driver]).toEqual(['Walking Transport', 'Walking Driver 2']);
});

test.each([
  ['escalation', 'escalateOrder'],
  ['incident', 'reportIncident'],
])('the scenario %s happens on the way', async (name, command) => {
  await walked(name);
  expect(sent.slice(5)).toEqual(['startTransport', command, 'deliverOrder', 'closeOrder']);
});

test('in the scenario handover_code the driver mistypes one code, and both handovers have theirs', async () => {
  const order = await under.newOrder();
  await start(order, 'handover_code', scenarioSteps('handover_code', 0));
  const codes: string[] = [];
  while ((await takeNext()) > 0)
    await asOwner(under.orders.database, async (owner) => {
      const text = 'select handover_codes as codes from orders where id = $1';
      const { rows } = await owner.query(text, [order.orderId]);
      if (rows[0].codes && rows[0].codes !== codes.at(-1)) codes.push(rows[0].codes);
    });
  const used = { round: 1, wrong: 0 };
  expect(codes.map((one) => JSON.parse(one))).toEqual([
    { pickup: used },
    { pickup: used, dropoff: { round: 0, wrong: 1 } },
    { pickup: used, dropoff: used },
  ]);
  expect(sent.slice(5)).toEqual([
    ...['getHandoverCode', 'getHandoverCode', 'recordHandover', 'startTransport'],
    ...['getHandoverCode', 'checkHandoverCode'],
    ...['getHandoverCode', 'getHandoverCode', 'recordHandover', 'deliverOrder', 'closeOrder'],
  ]);
});

test('a run whose code is locked ends and says so', async () => {
  const order = await under.newOrder();
  const wrong = { kind: 'wrong_code', value: 'pickup', afterMs: 0 } as const;
  const steps = [{ kind: 'to', value: 'SEALED', afterMs: 0 } as const, ...Array(6).fill(wrong)];
  await start(order, 'handover_code', steps);
  while ((await takeNext()) > 0);
  expect(await shown(order)).toMatchObject({ lockedCodes: ['pickup'] });
  expect(await findRun(store.db, order.orderId)).toMatchObject({
    ...{ state: 'ended', taken: 6 },
    reason: 'The page of the pickup shows no code.',
  });
});

const draft = () => under.newOrder({ autoDispatch: false });
const partner = ({ organizationId, orderId: id }: Ids) => ({ organizationId, id });

test('a draft waits until it is submitted, however often it is looked at', async () => {
  const order = await draft();
  await start(order, 'auto', scenarioSteps('auto', 0));
  for (let n = 0; n < 25; n++) expect(await takeNext()).toBe(1);
  expect(await shown(order)).toMatchObject({ status: 'DRAFT', sequence: 0 });
  expect(await findRun(store.db, order.orderId)).toMatchObject({ state: 'running', taken: 0 });
  expect(sent).toEqual([]);
  await under.orders.orders.submitOrder(partner(order));
  while ((await takeNext()) > 0);
  expect((await shown(order)).status).toBe('CLOSED');
});

/** Lets a run have waited for so long. */
const wait = (interval: string) =>
  store.db.query(`update runs set updated_at = clock_timestamp() - interval '${interval}'`);

test('a draft is looked at each minute for 7 days, and then its run ends', async () => {
  const order = await draft();
  await start(order, 'incident', scenarioSteps('incident', 0));
  for (const interval of ['1 hour', '6 days 23 hours 59 minutes']) {
    await wait(interval);
    await takeNext();
    const run = await findRun(store.db, order.orderId);
    expect(run).toMatchObject({ state: 'running', taken: 0 });
    expect(Date.parse(run!.nextAt!) - Date.now()).toBeLessThan(61_000);
  }
  await wait('7 days');
  await takeNext();
  expect(await findRun(store.db, order.orderId)).toMatchObject({
    state: 'ended',
    reason: 'The order was not submitted within 7 days.',
  });
  expect(await takeNext()).toBe(0);
});

test('looks at a draft are no tries: after the first failure the next one follows soon', async () => {
  const order = await draft();
  await start(order, 'auto', scenarioSteps('auto', 0));
  for (let n = 0; n < 25; n++) await takeNext();
  await under.orders.orders.submitOrder(partner(order));
  const broken = {
    showOrder: async () => {
      throw new Failure('SERVICE_UNAVAILABLE', 'orders does not answer');
    },
  } as unknown as Orders;
  await store.endLeases();
  await takeDueSteps(store.db, { orders: broken, phoneOf });
  const run = await findRun(store.db, order.orderId);
  expect(run).toMatchObject({ state: 'running', taken: 0 });
  expect(Date.parse(run!.nextAt!) - Date.now()).toBeLessThan(5000);
});

test('the run of a draft ends with its cancellation', async () => {
  const order = await draft();
  await start(order, 'auto', scenarioSteps('auto', 0));
  await takeNext();
  await under.orders.orders.cancelOrder({ ...partner(order), reason: 'r' });
  await takeNext();
  expect(await findRun(store.db, order.orderId)).toMatchObject({
    state: 'ended',
    reason: 'The order is CANCELLED and cannot become ASSIGNED.',
  });
});

test('a script and a step at once submit a draft', async () => {
  const [scripted, advanced] = [await draft(), await draft()];
  await start(scripted, 'script', [{ kind: 'to', value: 'ASSIGNED', afterMs: 0 }]);
  await takeNext();
  expect((await shown(scripted)).status).toBe('ASSIGNED');
  expect((await under.courier.advance(advanced)).status).toBe('SUBMITTED');
});

test('a step that the status does not permit ends the run, and the run says which', async () => {
  const order = await under.newOrder();
  await start(order, 'script', [{ kind: 'release_driver', value: '', afterMs: 0 }]);
  await takeNext();
  expect(await findRun(store.db, order.orderId)).toMatchObject({
    state: 'ended',
    reason: 'The order is SUBMITTED; no release_driver is possible.',
  });
});

const note = (value: string): Step => ({ kind: 'incident', value, afterMs: 0 });
const storedSteps = async ({ orderId }: Ids): Promise<string> => {
  const [row] = await store.db.query<{ steps: string }>(
    'select steps from runs where order_id = $1',
    [orderId],
  );
  return row!.steps;
};

test('a note leaves the run when its step is taken, and later notes stay', async () => {
  const order = await under.newOrder();
  await start(order, 'script', [note('Mrs. First'), note('Mrs. Second')]);
  await takeNext();
  expect(await storedSteps(order)).not.toContain('First');
  expect(await storedSteps(order)).toContain('Second');
  await takeNext();
  expect(await storedSteps(order)).not.toContain('Mrs.');
  expect(await findRun(store.db, order.orderId)).toMatchObject({ state: 'done', count: 2 });
});

test('all notes leave a run that ends before its last step', async () => {
  const order = await under.newOrder();
  await under.orders.orders.cancelOrder({ ...partner(order), reason: 'r' });
  await start(order, 'script', [note('Mrs. First'), note('Mrs. Second')]);
  await takeNext();
  expect(await storedSteps(order)).not.toContain('Mrs.');
  expect(await findRun(store.db, order.orderId)).toMatchObject({ state: 'ended', count: 2 });
});
