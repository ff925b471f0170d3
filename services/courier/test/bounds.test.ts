import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Failure } from '@pto/errors';
import { until } from '@pto/testing';
import type { Orders } from '../src/moves/orders.ts';
import { deleteOld, findRun, startRun } from '../src/runs/store.ts';
import { takeDueSteps } from '../src/runs/work.ts';
import { type CourierDatabase, openCourierDatabase } from './courier-database.ts';
import { phoneOf, startCourierService } from './courier-service.ts';

let store: CourierDatabase;
beforeAll(async () => {
  store = await openCourierDatabase();
});
afterAll(() => store.stop());

const newRun = () => ({
  orderId: randomUUID(),
  organizationId: randomUUID(),
  plan: 'script',
  steps: [{ kind: 'to', value: 'ASSIGNED', afterMs: 0 } as const],
});

test('a step is tried 20 times within about an hour, then the run ends and says why', async () => {
  const run = newRun();
  await startRun(store.db, run, { unlessStarted: false });
  let calls = 0;
  const unavailable = {
    showOrder: async () => {
      calls++;
      throw new Failure('SERVICE_UNAVAILABLE', 'orders does not answer');
    },
  } as unknown as Orders;
  let seconds = 0;
  for (let tried = 1; tried <= 20; tried++) {
    expect(await findRun(store.db, run.orderId)).toMatchObject({ state: 'running', taken: 0 });
    await store.endLeases();
    await takeDueSteps(store.db, { orders: unavailable, phoneOf });
    const [row] = await store.db.query<{ s: number | null }>(
      'select extract(epoch from due_at - clock_timestamp())::float8 as s from runs where order_id = $1',
      [run.orderId],
    );
    seconds += row!.s ?? 0;
  }
  expect(calls).toBe(20);
  expect(await findRun(store.db, run.orderId)).toEqual({
    ...{ plan: 'script', state: 'ended', taken: 0, count: 1 },
    reason: 'orders does not answer',
  });
  expect(seconds).toBeGreaterThan(1200);
  expect(seconds).toBeLessThan(5400);
  await store.endLeases();
  expect(await takeDueSteps(store.db, { orders: unavailable, phoneOf })).toBe(0);
});

test('runs that were over 30 days ago are deleted, and no others', async () => {
  const ids: Record<string, string> = {};
  for (const [name, days, isOver] of [
    ['old', 31, true],
    ['recent', 29, true],
    ['running', 31, false],
  ] as const) {
    const run = newRun();
    ids[name] = run.orderId;
    await startRun(store.db, run, { unlessStarted: false });
    await store.db.query(
      `update runs set updated_at = now() - $2 * interval '1 day',
         due_at = case when $3 then null else now() + interval '1 day' end where order_id = $1`,
      [run.orderId, days, isOver],
    );
  }
  await deleteOld(store.db);
  const found = async (name: string) => (await findRun(store.db, ids[name]!)) !== undefined;
  expect([await found('old'), await found('recent'), await found('running')]).toEqual([
    false,
    true,
    true,
  ]);
});

test('a replica deletes old runs at its start', async () => {
  const under = await startCourierService();
  try {
    const order = await under.newOrder();
    const steps = [{ kind: 'to', value: 'ASSIGNED' }];
    const plan = { case: 'script', value: { steps } } as const;
    await under.courier.startRun({ ...order, plan });
    const runOf = async () => (await under.courier.listSteps(order)).run;
    await until(async () => (await runOf())?.state === 'done', { what: 'the end of the run' });
    await under.asOwner("update runs set updated_at = now() - interval '31 days'");
    const other = await under.startReplica();
    await until(async () => (await runOf()) === undefined, { what: 'the deletion' });
    await other.stop();
  } finally {
    await under.stop();
  }
});
