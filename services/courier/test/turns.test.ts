/** Organizations take turns: the runs of one do not delay another's. */
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { claimDue, claimMax, startRun } from '../src/runs/store.ts';
import { type CourierDatabase, openCourierDatabase } from './courier-database.ts';

let store: CourierDatabase;
beforeEach(async () => {
  store = await openCourierDatabase();
});
afterEach(() => store.stop());

/** Starts due runs of an organization. Returns the ids of their orders, oldest first. */
const startRuns = async (count: number, organizationId = randomUUID()): Promise<string[]> => {
  const ids = Array.from({ length: count }, () => randomUUID());
  for (const orderId of ids) {
    const steps = [{ kind: 'to', value: 'ASSIGNED', afterMs: 0 } as const];
    await startRun(
      store.db,
      { orderId, organizationId, plan: 'script', steps },
      { unlessStarted: false },
    );
  }
  return ids;
};
const claimed = async () => (await claimDue(store.db)).map(({ orderId }) => orderId);

test('the run of an organization is in the first claim, behind 60 older runs of another', async () => {
  const many = await startRuns(60);
  const [only] = await startRuns(1);
  const first = await claimed();
  expect(first).toHaveLength(claimMax);
  expect(first).toContain(only);
  expect(first.filter((id) => many.includes(id))).toHaveLength(claimMax - 1);
});

test('an organization alone gets complete claims, oldest runs first', async () => {
  const many = await startRuns(claimMax + 4);
  expect((await claimed()).toSorted()).toEqual(many.slice(0, claimMax).toSorted());
  expect((await claimed()).toSorted()).toEqual(many.slice(claimMax).toSorted());
});

test('two claims at once share no run and leave none', async () => {
  const many = await startRuns(2 * claimMax);
  const other = await store.open();
  try {
    const claims = await Promise.all([claimDue(store.db), claimDue(other)]);
    const rest = await claimed();
    const all = [...claims.flat().map(({ orderId }) => orderId), ...rest];
    expect(all.toSorted()).toEqual(many.toSorted());
  } finally {
    await other.close();
  }
});
