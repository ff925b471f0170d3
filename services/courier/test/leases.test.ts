/** Processes that stall or die within a step: no step is lost, and none is taken twice. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import type { Database } from '@pto/database';
import { tlsOf } from '@pto/testing';
import { type Orders, openOrders } from '../src/moves/orders.ts';
import type { Step } from '../src/plan/steps.ts';
import { findRun, startRun } from '../src/runs/store.ts';
import { takeDueSteps } from '../src/runs/work.ts';
import { type CourierDatabase, openCourierDatabase } from './courier-database.ts';
import { type CourierUnderTest, phoneOf, startCourierService } from './courier-service.ts';

let under: CourierUnderTest;
let store: CourierDatabase;
let orders: Orders;
const ordersUrl = () => `https://127.0.0.1:${under.orders.service.connectPort}`;
beforeAll(async () => {
  under = await startCourierService();
  orders = openOrders({ urls: [ordersUrl()], server: 'orders', tls: tlsOf('courier') });
});
afterAll(() => under.stop());
beforeEach(async () => {
  store = await openCourierDatabase();
});
afterEach(async () => {
  jest.restoreAllMocks();
  await store.stop();
});

const incident = (value: string): Step => ({ kind: 'incident', value, afterMs: 0 });
const to = (value: string): Step => ({ kind: 'to', value, afterMs: 0 });

const startedRun = async (...steps: Step[]): Promise<string> => {
  const { orderId, organizationId } = await under.newOrder();
  const run = { orderId, organizationId, plan: 'script', steps };
  await startRun(store.db, run, { unlessStarted: false });
  return orderId;
};
const sequenceOf = async (orderId: string) => (await orders.showOrder({ orderId })).order!.sequence;
const runOf = (orderId: string) => findRun(store.db, orderId);

/** Another process takes the step, as its lease permits. */
const otherTakesStep = async () => {
  await store.endLeases();
  await takeDueSteps(store.db, { orders, phoneOf });
};

test('a process that stalls after it has read the order sends nothing and records nothing', async () => {
  const orderId = await startedRun(incident('a'), incident('b'));
  const stalling: Orders = {
    ...orders,
    showOrder: async (...request) => {
      const read = await orders.showOrder(...request);
      await otherTakesStep();
      return read;
    },
  };
  await takeDueSteps(store.db, { orders: stalling, phoneOf });
  expect(await runOf(orderId)).toMatchObject({ state: 'running', taken: 1 });
  expect(await sequenceOf(orderId)).toBe(2);
});

test('a process that stalls before its command sends nothing after its deadline', async () => {
  const orderId = await startedRun(incident('a'), incident('b'));
  const now = performance.now.bind(performance);
  let stalled = false;
  const stalling: Database = {
    ...store.db,
    query: async (text, parameters) => {
      const rows = await store.db.query(text, parameters);
      if (!stalled && text.includes('begun_at_sequence" =')) {
        stalled = true;
        await otherTakesStep();
        jest.spyOn(performance, 'now').mockImplementation(() => now() + 15_000);
      }
      return rows as never;
    },
  };
  await takeDueSteps(stalling, { orders, phoneOf });
  expect(stalled).toBe(true);
  jest.restoreAllMocks();
  expect(await runOf(orderId)).toMatchObject({ state: 'running', taken: 1 });
  expect(await sequenceOf(orderId)).toBe(2);
});

test('a process that stalls after its command records nothing, and the step counts as taken', async () => {
  const orderId = await startedRun(incident('a'), incident('b'), incident('c'));
  const stalling: Orders = {
    ...orders,
    reportIncident: async (...request) => {
      const response = await orders.reportIncident(...request);
      await otherTakesStep(); // finds the command, and records the step
      await otherTakesStep(); // takes the second step
      return response;
    },
  };
  await takeDueSteps(store.db, { orders: stalling, phoneOf });
  expect(await runOf(orderId)).toMatchObject({ state: 'running', taken: 2 });
  expect(await sequenceOf(orderId)).toBe(3);
  await otherTakesStep();
  expect(await runOf(orderId)).toMatchObject({ state: 'done', taken: 3 });
  expect(await sequenceOf(orderId)).toBe(4);
});

test('a process whose run is replaced within its step records nothing on the new run', async () => {
  const { orderId, organizationId } = await under.newOrder();
  const run = { orderId, organizationId, plan: 'script', steps: [incident('a'), incident('b')] };
  await startRun(store.db, run, { unlessStarted: false });
  const replacing: Orders = {
    ...orders,
    reportIncident: async (...request) => {
      const response = await orders.reportIncident(...request);
      const steps = [to('ASSIGNED'), to('ACCEPTED')];
      await startRun(store.db, { ...run, steps }, { unlessStarted: false });
      return response;
    },
  };
  await takeDueSteps(store.db, { orders: replacing, phoneOf });
  expect(await runOf(orderId)).toMatchObject({ state: 'running', taken: 0, count: 2 });
  // the new run is due at once, and takes all of its steps
  await takeDueSteps(store.db, { orders, phoneOf });
  expect(await runOf(orderId)).toMatchObject({ state: 'running', taken: 1 });
  await takeDueSteps(store.db, { orders, phoneOf });
  expect(await runOf(orderId)).toMatchObject({ state: 'done', taken: 2 });
  expect((await orders.showOrder({ orderId })).order).toMatchObject({ status: 'ACCEPTED' });
});

test('a run that is kept at a second start keeps its lease', async () => {
  const { orderId, organizationId } = await under.newOrder();
  const run = { orderId, organizationId, plan: 'auto', steps: [incident('a'), incident('b')] };
  await startRun(store.db, run, { unlessStarted: true });
  const repeating: Orders = {
    ...orders,
    reportIncident: async (...request) => {
      const response = await orders.reportIncident(...request);
      await startRun(store.db, run, { unlessStarted: true });
      return response;
    },
  };
  await takeDueSteps(store.db, { orders: repeating, phoneOf });
  expect(await runOf(orderId)).toMatchObject({ state: 'running', taken: 1 });
});

const program = fileURLToPath(new URL('killed-in-a-step.ts', import.meta.url));

/** Takes the due steps in a process that is killed in the first command. */
const killedProcess = async (rpc: string, moment: 'before' | 'after'): Promise<void> => {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program], {
    env: {
      PATH: process.env.PATH,
      PTO_TEST_IDENTITIES: process.env.PTO_TEST_IDENTITIES,
      DATABASE_URL: store.database.serviceUrl,
      ORDERS_URL: ordersUrl(),
      KILLED_AT: `${moment} ${rpc}`,
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
};

test.each([
  ['before', 'reportIncident', 1],
  ['after', 'reportIncident', 2],
  ['before', 'assignOrder', 1],
  ['after', 'assignOrder', 2],
] as const)('kill -9 %s the command %s: its step is taken once', async (moment, rpc, sequence) => {
  const first = rpc === 'assignOrder' ? to('ASSIGNED') : incident('a');
  const orderId = await startedRun(first, incident('b'));
  await killedProcess(rpc, moment);
  expect(await sequenceOf(orderId)).toBe(sequence);
  expect(await runOf(orderId)).toMatchObject({ state: 'running', taken: 0 });
  // the lease of the killed process lasts
  await takeDueSteps(store.db, { orders, phoneOf });
  expect(await runOf(orderId)).toMatchObject({ taken: 0 });
  await otherTakesStep();
  expect(await runOf(orderId)).toMatchObject({ taken: 1 });
  expect(await sequenceOf(orderId)).toBe(2);
  await otherTakesStep();
  expect(await runOf(orderId)).toMatchObject({ state: 'done', taken: 2 });
  expect(await sequenceOf(orderId)).toBe(3);
});
