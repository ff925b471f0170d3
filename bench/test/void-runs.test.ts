import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import type { Side } from '../measuring/ratio.ts';
import { VoidRun } from '../measuring/void-run.ts';

process.env.BENCH_WARM_MS = '1';
process.env.BENCH_MS = '1';
const { compare } = await import('../measuring/ratio.ts');

let printed = '';
beforeEach(() => {
  printed = '';
  process.exitCode = undefined; // another test file of this process may have set it
  jest.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += text;
    return true;
  });
});
afterEach(() => {
  jest.restoreAllMocks();
  process.exitCode = undefined;
});

/** A side of which each operation takes that long. */
const side = (name: string, ms: number, more: Partial<Side> = {}): Side => ({
  name,
  round: async () => {
    await new Promise((resolve) => setTimeout(resolve, ms));
    return 1;
  },
  ...more,
});
const theirs = side('theirs', 5);

test('a run whose sides did equal work has a ratio', async () => {
  const same = { rows: async () => 1, response: async () => ({ id: 1 }) };
  const ratio = await compare('equal', side('ours', 5, same), side('theirs', 20, same));
  expect(ratio).toBeGreaterThan(1);
  expect(printed).not.toContain('void');
  expect(process.exitCode).toBeUndefined();
});

test('different responses void a run before anything is timed', async () => {
  const round = jest.fn(() => 1);
  const ratio = await compare(
    'bodies',
    side('ours', 1, { round, response: async () => ({ id: 1 }) }),
    side('theirs', 1, { response: async () => ({ id: 2 }) }),
  );
  expect(ratio).toBeNaN();
  expect(round).not.toHaveBeenCalled();
  expect(printed).toContain('void: the responses differ: {"id":1} and {"id":2}');
  expect(process.exitCode).toBe(1);
});

test('responses that differ only after the timing void a run, too', async () => {
  let responses = 0;
  const changed = side('ours', 1, { response: async () => ++responses });
  expect(await compare('later', changed, side('theirs', 1, { response: async () => 1 }))).toBeNaN();
  expect(printed).toContain('void: the responses differ: 2 and 1');
});

test('a row that is missing in the store voids a run', async () => {
  expect(await compare('rows', side('ours', 1, { rows: async () => 0 }), theirs)).toBeNaN();
  expect(printed).toContain('void: ours: 1 operations wrote 0 rows');
});

test('a response of the load with another status voids a run', async () => {
  const round = () => {
    throw new VoidRun('/orders: 7 responses, status 503, 0 failed');
  };
  expect(await compare('status', theirs, side('ours', 1, { round }))).toBeNaN();
  expect(printed).toContain('void: /orders: 7 responses, status 503, 0 failed');
});

test('a side that completes no operation voids a run', async () => {
  const idle = side('pgbench', 2, {
    round: () => new Promise<number>((resolve) => setTimeout(resolve, 2, 0)),
  });
  expect(await compare('idle', theirs, idle)).toBeNaN();
  expect(printed).toContain('void: pgbench: no operation was completed');
});

test('another error is none of a void run and is thrown', async () => {
  const round = () => {
    throw new TypeError('a bug');
  };
  await expect(compare('bug', side('ours', 1, { round }), theirs)).rejects.toThrow('a bug');
});

test('by p50, the ratio is that of the times', async () => {
  const timed = (p50Ms: number) => ({ latency: () => ({ p50Ms, p99Ms: 9 }) });
  const [ours, small] = [side('large', 1, timed(3)), side('small', 1, timed(2))];
  expect(await compare('p50', ours, small, { by: 'p50' })).toBe(1.5);
});
