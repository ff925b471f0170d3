import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { loadIn } from '../http/wrk.ts';
import { compare, type Side } from '../measuring/ratio.ts';
import { requireStatus, VoidRun } from '../measuring/report.ts';

process.env.BENCH_WARM_MS = '1';
process.env.BENCH_MS = '1';

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
    return { operations: 1 };
  },
  ...more,
});
const theirs = side('theirs', 5);

test('a run whose sides did equal work has a ratio', async () => {
  const same = { rows: async () => 1, response: async () => ({ id: 1 }) };
  await compare('equal', side('ours', 5, same), side('theirs', 20, same));
  expect(Number(/ {2}ratio (\S+?),/.exec(printed)?.[1])).toBeGreaterThan(1);
  expect(printed).not.toContain('void');
  expect(process.exitCode).toBeUndefined();
});

test('different responses void a run before anything is timed', async () => {
  const round = jest.fn(() => ({ operations: 1 }));
  await compare(
    'bodies',
    side('ours', 1, { round, response: async () => ({ id: 1 }) }),
    side('theirs', 1, { response: async () => ({ id: 2 }) }),
  );
  expect(round).not.toHaveBeenCalled();
  expect(printed).toContain('void: the responses differ: {"id":1} and {"id":2}');
  expect(process.exitCode).toBe(1);
});

test('responses that differ only after the timing void a run, too', async () => {
  let responses = 0;
  const changed = side('ours', 1, { response: async () => ++responses });
  await compare('later', changed, side('theirs', 1, { response: async () => 1 }));
  expect(printed).toContain('void: the responses differ: 2 and 1');
});

test('a row that is missing in the store voids a run', async () => {
  await compare('rows', side('ours', 1, { rows: async () => 0 }), theirs);
  expect(printed).toContain('void: ours: 1 operations wrote 0 rows');
});

test('a response of the load with another status voids a run', async () => {
  const round = () => {
    throw new VoidRun('/orders: 7 responses, status 503, 0 failed');
  };
  await compare('status', theirs, side('ours', 1, { round }));
  expect(printed).toContain('void: /orders: 7 responses, status 503, 0 failed');
});

test('a side that completes no operation voids a run', async () => {
  const idle = side('pgbench', 2, {
    round: () => new Promise((resolve) => setTimeout(resolve, 2, { operations: 0 })),
  });
  await compare('idle', theirs, idle);
  expect(printed).toContain('void: pgbench: no operation was completed');
});

test('another error is none of a void run and is thrown', async () => {
  const round = () => {
    throw new TypeError('a bug');
  };
  await expect(compare('bug', side('ours', 1, { round }), theirs)).rejects.toThrow('a bug');
});

test('by p95, the ratio is that of the times', async () => {
  const timed = (p95Ms: number) => ({ round: () => ({ operations: 1, p95Ms, p99Ms: 9 }) });
  const [ours, small] = [side('large', 1, timed(3)), side('small', 1, timed(2))];
  await compare('p95', ours, small, { by: 'p95Ms', sampleMs: 0.001, warmUpMs: 0 });
  expect(printed).toContain('  ratio 1.500,1.500,1.500');
});

test('without another side there is no ratio', async () => {
  await compare('alone', side('ours', 1), null, { pairs: 1 });
  expect(printed).not.toContain('ratio');
  expect(printed).toMatch(/1\/1 {2}ours [\d,]+\/s/);
});

test('load with a wrong status, a failed connection or no response is void', () => {
  expect(loadIn('wrk\nRESULT 9 0 0 1500 2000\n', '/orders')).toEqual({
    operations: 9,
    p50Ms: 1.5,
    p99Ms: 2,
  });
  for (const output of ['RESULT 9 503 0 1 1', 'RESULT 9 0 1 1 1', 'RESULT 0 0 0 0 0', 'killed'])
    expect(() => loadIn(output, '/orders')).toThrow(VoidRun);
});

test('a single response with another status is void', () => {
  expect(() => requireStatus('GET /ping', 429, 200)).toThrow(VoidRun);
  expect(() => requireStatus('GET /ping', 429, 429)).not.toThrow();
});
