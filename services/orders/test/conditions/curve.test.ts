import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { curveOf } from '../../src/conditions/summarize.ts';
import { at, readingsOf } from './readings-files.ts';

test('a curve has the extremes of 100 equal spans, so that no peak is lost', () => {
  const values = Array.from({ length: 1000 }, (_, n) => (n === 555 ? 21.004 : 5));
  const { minimum, maximum } = curveOf(readingsOf(...values));
  expect(minimum).toEqual(Array(100).fill(5));
  expect(maximum.flatMap((value, n) => (value === 5 ? [] : [[n, value]]))).toEqual([[55, 21]]);
});

test('a curve of fewer readings has one span for each, and null for a gap', () => {
  expect(curveOf(readingsOf(4)).minimum).toEqual([4]);
  const readings = [0, 60, 120, 600].map((seconds, n) => ({ at: at(seconds), value: n }));
  expect(curveOf(readings)).toEqual({ minimum: [0, null, null, 3], maximum: [2, null, null, 3] });
});

test('a curve has the first and the last value at its ends, for any number of readings', () => {
  const values = fc.array(fc.integer({ min: -40, max: 40 }), { minLength: 1, maxLength: 300 });
  fc.assert(
    fc.property(values, (series) => {
      const { minimum, maximum } = curveOf(readingsOf(...series));
      expect(minimum).toHaveLength(Math.min(100, series.length));
      expect(minimum).not.toContain(null);
      expect(Math.min(...(minimum as number[]))).toBe(Math.min(...series));
      expect(Math.max(...(maximum as number[]))).toBe(Math.max(...series));
    }),
  );
});
