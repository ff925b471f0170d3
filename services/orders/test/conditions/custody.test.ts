import { expect, test } from '@jest/globals';
import type { Custody } from '@pto/proto/payloads';
import fc from 'fast-check';
import { findExcursions } from '../../src/conditions/excursions.ts';
import { summarize } from '../../src/conditions/summarize.ts';
import { at, readingsOf, underWay } from './readings-files.ts';

const limits = { min: 2, max: 8 };
const summaryOf = (custody: Custody, ...values: readonly number[]) =>
  summarize(readingsOf(...values), 'celsius', limits, custody);

test('a logger that was started early in a warm room reports no excursion of the transport', () => {
  const summary = summaryOf({ from: at(90), to: null }, 22, 21, 5, 6);
  expect(summary.inside).toEqual({ listed: [], count: 0, seconds: 0 });
  expect(summary.outside.listed).toEqual([
    { from: at(0), to: at(90), seconds: 90, limit: 'max', extreme: 22 },
  ]);
  expect(summary.covered).toEqual({
    ...{ from: at(120), to: at(180), count: 2, minimum: 5, maximum: 6 },
  });
});

test('an excursion over the whole custody is divided at its ends', () => {
  const { inside, outside } = summaryOf({ from: at(90), to: at(150) }, 22, 21, 9, 10, 5);
  expect(outside.listed).toEqual([
    { from: at(0), to: at(90), seconds: 90, limit: 'max', extreme: 22 },
    { from: at(150), to: at(240), seconds: 90, limit: 'max', extreme: 10 },
  ]);
  expect(inside.listed).toEqual([
    { from: at(90), to: at(150), seconds: 60, limit: 'max', extreme: 9 },
  ]);
});

test('readings at the very start and end of the custody are within it', () => {
  const { inside, outside } = summaryOf({ from: at(60), to: at(120) }, 5, 9, 9, 5);
  expect(inside).toMatchObject({ count: 1, seconds: 60 });
  expect(outside.count).toBe(0);
});

test('a step over both limits at the start of the custody begins with its first reading', () => {
  const { inside, outside } = summaryOf({ from: at(30), to: null }, 22, 1, 5);
  expect(outside.listed).toMatchObject([{ from: at(0), to: at(30), limit: 'max' }]);
  expect(inside.listed).toMatchObject([{ from: at(60), to: at(120), limit: 'min' }]);
});

test('without readings within the custody nothing is covered', () => {
  const between = summaryOf({ from: at(70), to: at(80) }, 22, 22, 22, 22);
  expect(between.covered).toBeNull();
  expect(between.inside.count).toBe(0);
  expect(between.outside.listed).toMatchObject([
    { from: at(0), to: at(70) },
    { from: at(80), to: at(180) },
  ]);
  const early = summaryOf({ from: null, to: null }, 22, 5);
  expect(early).toMatchObject({ covered: null, inside: { count: 0 }, outside: { count: 1 } });
});

test('the parts of excursions have their times within their part of the custody, for any values', () => {
  const values = fc.array(fc.constantFrom(1, 5, 9), { minLength: 1, maxLength: 12 });
  const time = fc.integer({ min: -30, max: 800 }).map(at);
  fc.assert(
    fc.property(values, time, time, (series, one, other) => {
      const custody = one < other ? { from: one, to: other } : { from: other, to: one };
      const found = findExcursions(readingsOf(...series), 'celsius', limits, custody);
      found.forEach(({ from, to, part }, n) => {
        expect(from <= to).toBe(true);
        if (n > 0) expect(from >= found[n - 1]!.to).toBe(true);
        if (part === 'before') expect(to <= custody.from).toBe(true);
        if (part === 'within') expect(from >= custody.from && to <= custody.to).toBe(true);
        if (part === 'after') expect(from >= custody.to).toBe(true);
      });
    }),
  );
});

test('the same readings have one digest in every file, and others in another unit', () => {
  const digest = (unit: 'celsius' | 'kelvin') =>
    summarize(readingsOf(5), unit, limits, underWay).normalizedSha256;
  expect(digest('celsius')).toBe(summaryOf({ from: null, to: null }, 5).normalizedSha256);
  expect(digest('kelvin')).not.toBe(digest('celsius'));
});
