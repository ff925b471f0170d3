import { expect, test } from '@jest/globals';
import type { Measured } from '../measuring/report.ts';
import { type Bench, benches } from '../suite/benches.ts';
import type { SuiteResult } from '../suite/run-bench.ts';
import { tableOf } from '../suite/table.ts';

const bench: Bench = { ratio: 'R1', file: 'get-order.ts', note: 'Express checks no key.' };
const measured = (name: string, more: Partial<Measured> = {}): Measured => ({
  name,
  perSecond: 100,
  p50Ms: 1.25,
  p95Ms: null,
  p99Ms: 8,
  cpuMicros: { orders: 200.4, gateway: 400, redis: 0.2 },
  ...more,
});
const result = (more: Partial<SuiteResult> = {}): SuiteResult => ({
  bench,
  what: 'R1: GET',
  ratio: { median: 0.82, lowest: 0.617, highest: 0.9 },
  goal: 'at least 0.6',
  ours: measured('local stack'),
  theirs: measured('express', { p50Ms: null, p99Ms: null, cpuMicros: { express: 9.26 } }),
  sampleMs: 5000,
  othersShare: 0.125,
  void: null,
  ...more,
});
const rowsOf = (results: readonly SuiteResult[]) => tableOf(results).split('\n').slice(2);

test('a row shows ratio, spread, goal, times and CPU time by process, the most first', () => {
  expect(rowsOf([result()])[0]).toBe(
    '| R1: GET | 0.820 | 0.617 | 0.900 | at least 0.6 | 1.3, 8.0 ms | – | gateway 400, orders 200 | express 9.3 | 13 % |',
  );
});

test('a row names samples of another length than the usual one', () => {
  expect(rowsOf([result({ sampleMs: 500 })])[0]).toContain('| R1: GET, samples of 0.5 s |');
});

test('a void run shows its reason and no figure', () => {
  const [row] = rowsOf([result({ ratio: null, ours: null, theirs: null, void: 'a | b\nc' })]);
  expect(row).toContain('| R1: GET | void: a / b c | – |');
});

test('a measurement without another side says so and shows its times', () => {
  const goal = 'p50 30 ms, p95 50 ms';
  const ours = measured('local stack', { p95Ms: 50 });
  const [row] = rowsOf([result({ ratio: null, theirs: null, goal, ours })]);
  expect(row).toContain('| p50 30 ms, p95 50 ms | 1.3, 8.0 ms (p95 50.0) |');
  expect(row).toContain('| no other side |');
});

test('a note for each ratio follows the table, once', () => {
  const other: Bench = { ...bench, ratio: 'R9', note: 'kafkajs reads no rows.' };
  const lines = rowsOf([result(), result(), result({ bench: other })]).slice(3);
  expect(lines.map((line) => line.slice(0, 11))).toEqual(['', '- R1: Expre', '- R9: kafka', '']);
});

test('each ratio of the suite stands once', () => {
  const ratios = benches.map(({ ratio }) => ratio);
  expect(ratios).toEqual([...new Set(ratios)]);
});
