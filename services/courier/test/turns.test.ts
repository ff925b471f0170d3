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

test.each([
  ['at different times', 'due_at'],
  ['at the same time', "now() - interval '1 minute'"],
])('a claim takes one run each of 16 organizations, whose runs are due %s', async (_, at) => {
  const runs: string[][] = [];
  for (let n = 0; n < claimMax + 4; n++) runs.push(await startRuns(2));
  await store.db.query(`update runs set due_at = ${at}`);
  const ids = await claimed();
  const begun = runs.filter((own) => own.some((id) => ids.includes(id)));
  expect([ids.length, begun.length]).toEqual([claimMax, claimMax]);
  if (at === 'due_at') expect(begun).toEqual(runs.slice(0, claimMax));
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
