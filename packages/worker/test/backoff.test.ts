import { expect, test } from '@jest/globals';
import { backoffMs } from '../src/index.ts';

/** The pauses of many processes after the same number of failures. */
const pauses = (failures: number, bounds?: { firstMs?: number; mostMs?: number }) =>
  Array.from({ length: 200 }, () => backoffMs(failures, bounds));

test.each([
  [1, 100],
  [2, 200],
  [4, 800],
  [5, 1000],
  [1_000_000, 1000],
])('after %i failures the pause is %i ms, with a jitter of 20 %%', (failures, ms) => {
  const all = pauses(failures);
  expect(Math.min(...all)).toBeGreaterThanOrEqual(0.8 * ms);
  expect(Math.max(...all)).toBeLessThanOrEqual(1.2 * ms);
  expect(new Set(all).size).toBeGreaterThan(1);
});

test('the first and the longest pause are settings', () => {
  const bounds = { firstMs: 1000, mostMs: 3000 };
  expect(Math.min(...pauses(1, bounds))).toBeGreaterThanOrEqual(800);
  expect(Math.max(...pauses(9, bounds))).toBeLessThanOrEqual(3600);
});
