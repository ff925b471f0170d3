import { createHash } from 'node:crypto';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { summarize } from '../../src/conditions/summarize.ts';
import { at, readingsOf, underWay } from './readings-files.ts';

const limits = { min: 2, max: 8 };
const noLimits = { min: null, max: null };
const meanOf = (values: readonly number[]) =>
  summarize(readingsOf(...values), 'celsius', noLimits, underWay).mean;

test('a summary has extremes, mean, longest gap and excursions', () => {
  const readings = [
    { at: at(0), value: 4 },
    { at: at(60), value: 8.4 },
    { at: at(180.5), value: 6 },
    { at: at(200), value: 1.5 },
  ];
  expect(summarize(readings, 'celsius', limits, underWay)).toEqual({
    count: 4,
    from: at(0),
    to: at(200),
    minimum: 1.5,
    maximum: 8.4,
    mean: 4.98,
    intervalSeconds: 120.5,
    inside: {
      listed: [
        { from: at(60), to: at(180.5), seconds: 120.5, limit: 'max', extreme: 8.4 },
        { from: at(200), to: at(200), seconds: 0, limit: 'min', extreme: 1.5 },
      ],
      count: 2,
      seconds: 120.5,
    },
    outside: { listed: [], count: 0, seconds: 0 },
    covered: { from: at(0), to: at(200), count: 4, minimum: 1.5, maximum: 8.4 },
    curve: { minimum: [4, 8.4, null, 1.5], maximum: [4, 8.4, null, 6] },
    normalizedSha256: createHash('sha256')
      .update(`time,celsius\n${at(0)},4\n${at(60)},8.4\n${at(180.5)},6\n${at(200)},1.5\n`)
      .digest('hex'),
  });
});

test('one reading has no interval', () => {
  expect(summarize(readingsOf(5), 'celsius', limits, underWay)).toMatchObject({
    count: 1,
    from: at(0),
    to: at(0),
    intervalSeconds: null,
  });
});

test.each([
  [[0.1, 0.2], 0.15],
  [[1.005], 1.01],
  [[-1.005], -1.01],
  [[1.004999], 1],
  [[-80, -79.5, -79.99], -79.83],
  [[0.001, -0.001], 0],
  [[-0.001], 0],
])('the mean of %j is %d', (values, mean) => expect(meanOf(values)).toBe(mean));

test('the mean of 100,000 values is exact', () => {
  const meanOfMany = (value: number) => {
    const readings = Array.from({ length: 100_000 }, (_, n) => ({ at: at(n), value }));
    return summarize(readings, 'celsius', noLimits, underWay).mean;
  };
  expect(meanOfMany(0.1)).toBe(0.1);
  expect(meanOfMany(999.995)).toBe(1000);
  expect(meanOfMany(999.994999)).toBe(999.99);
});

test('at most 100 excursions within the custody and 20 outside are listed, and all are counted', () => {
  const excursions = (count: number, custody = underWay) =>
    summarize(
      readingsOf(...Array.from({ length: count }, () => [9, 5]).flat()),
      'celsius',
      limits,
      custody,
    );
  expect(excursions(100).inside.listed).toHaveLength(100);
  const { inside } = excursions(101);
  expect(inside.listed).toHaveLength(100);
  expect(inside.listed[0]).toMatchObject({ from: at(0) });
  expect(inside).toMatchObject({ count: 101, seconds: 101 * 60 });
  const { outside } = excursions(21, { from: null, to: null });
  expect(outside.listed).toHaveLength(20);
  expect(outside).toMatchObject({ count: 21, seconds: 21 * 60 });
});

test('the mean lies between the extremes, to half of its last decimal, for any values', () => {
  const value = fc.double({ min: -273.15, max: 1000, noNaN: true });
  fc.assert(
    fc.property(fc.array(value, { minLength: 1 }), (values) => {
      const { minimum, mean, maximum } = summarize(
        readingsOf(...values),
        'celsius',
        limits,
        underWay,
      );
      expect(minimum).toBeLessThanOrEqual(mean + 0.005001);
      expect(mean).toBeLessThanOrEqual(maximum + 0.005001);
    }),
  );
});

test.each([
  ['celsius', -273.15],
  ['fahrenheit', -459.67],
  ['kelvin', 0],
] as const)('a value in %s is not below %d', (unit, zero) => {
  expect(summarize(readingsOf(zero), unit, noLimits, underWay).minimum).toBe(zero);
  expect(() => summarize(readingsOf(zero - 0.01), unit, noLimits, underWay)).toThrow(
    'below absolute zero',
  );
});
