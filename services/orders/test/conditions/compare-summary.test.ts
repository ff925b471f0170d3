import { expect, test } from '@jest/globals';
import { compareSummary } from '../../src/conditions/compare-summary.ts';
import { rejectionOf } from './readings-files.ts';

const computed = { count: 3, minimum: 2.1, maximum: 8.4, mean: 4.98 };

test.each([
  {},
  computed,
  { maximum: 8.405 },
  { maximum: 8.395 },
  { minimum: 2.1 },
  { mean: 4.975 },
])('%j agrees with the readings', (claimed) => {
  expect(() => compareSummary(claimed, computed)).not.toThrow();
});

test.each([
  ['count', { count: 4 }, 3],
  ['count', { count: 3.001 }, 3],
  ['minimum', { minimum: 2.094 }, 2.1],
  ['maximum', { maximum: 8.405001 }, 8.4],
  ['maximum', { maximum: 8.394999 }, 8.4],
  ['maximum', { maximum: Number.NaN }, 8.4],
  ['mean', { mean: 5 }, 4.98],
  ['minimum', { mean: 0, minimum: 0 }, 2.1],
] as const)('a wrong %s is rejected: %j', (member, claimed, actual) => {
  expect(rejectionOf(() => compareSummary(claimed, computed))).toMatchObject({
    loc: ['summary', member],
    input: (claimed as Record<string, number>)[member],
    ctx: { error: `the readings give ${actual}` },
  });
});
