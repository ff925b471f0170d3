import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { findExcursions } from '../../src/conditions/excursions.ts';
import { at, readingsOf, underWay } from './readings-files.ts';

const limits = { min: 2, max: 8 };
const excursionsOf = (...values: readonly number[]) =>
  findExcursions(readingsOf(...values), 'celsius', limits, underWay).map(
    ({ part: _, ...excursion }) => excursion,
  );

test('an excursion ends with the first reading back inside', () => {
  expect(excursionsOf(5, 8.1, 9.5, 8.2, 7)).toEqual([
    { from: at(60), to: at(240), seconds: 180, limit: 'max', extreme: 9.5 },
  ]);
});

test('an excursion without a reading back inside ends with the last reading', () => {
  expect(excursionsOf(5, 1, -3)).toEqual([
    { from: at(60), to: at(120), seconds: 60, limit: 'min', extreme: -3 },
  ]);
  expect(excursionsOf(9)).toEqual([
    { from: at(0), to: at(0), seconds: 0, limit: 'max', extreme: 9 },
  ]);
});

test('a step over both limits ends an excursion and begins the next', () => {
  expect(excursionsOf(1, 9, 5)).toEqual([
    { from: at(0), to: at(60), seconds: 60, limit: 'min', extreme: 1 },
    { from: at(60), to: at(120), seconds: 60, limit: 'max', extreme: 9 },
  ]);
});

test('without limits there is no excursion', () => {
  const readings = readingsOf(-200, 900);
  expect(findExcursions(readings, 'celsius', { min: null, max: null }, underWay)).toEqual([]);
  expect(findExcursions(readings, 'celsius', { min: null, max: 8 }, underWay)).toHaveLength(1);
  expect(findExcursions(readings, 'celsius', { min: 2, max: null }, underWay)).toHaveLength(1);
});

describe('a value at the limit is inside, in any unit', () => {
  test.each([
    ['celsius', 2, 8, 0.01],
    ['fahrenheit', 35.6, 46.4, 0.01],
    ['kelvin', 275.15, 281.15, 0.01],
  ] as const)('%s', (unit, min, max, step) => {
    const inside = readingsOf(min, max);
    expect(findExcursions(inside, unit, limits, underWay)).toEqual([]);
    const outside = readingsOf(min - step, min, max + step);
    expect(findExcursions(outside, unit, limits, underWay).map(({ limit }) => limit)).toEqual([
      'min',
      'max',
    ]);
  });

  test('with limits of one decimal whose conversion is inexact in binary', () => {
    for (let tenth = -2000; tenth <= 2000; tenth += 1) {
      const celsius = tenth / 10;
      const both = { min: celsius, max: celsius };
      const kelvin = readingsOf(Number((celsius + 273.15).toFixed(2)));
      const fahrenheit = readingsOf(Number((celsius * 1.8 + 32).toFixed(2)));
      expect(findExcursions(kelvin, 'kelvin', both, underWay)).toEqual([]);
      expect(findExcursions(fahrenheit, 'fahrenheit', both, underWay)).toEqual([]);
    }
  });
});

test('excursions are disjoint, in order and cover each reading outside, for any values', () => {
  const values = fc.array(fc.constantFrom(1, 1.9, 2, 5, 8, 8.1, 12), { minLength: 1 });
  fc.assert(
    fc.property(values, (series) => {
      const readings = readingsOf(...series);
      const excursions = findExcursions(readings, 'celsius', limits, underWay);
      excursions.forEach(({ from, to }, n) => {
        expect(from <= to).toBe(true);
        if (n > 0) expect(from >= excursions[n - 1]!.to).toBe(true);
      });
      for (const reading of readings) {
        const covering = excursions.filter(
          ({ from, to }) =>
            from <= reading.at && (reading.at < to || reading.at === readings.at(-1)!.at),
        );
        const isOutside = reading.value < 2 || reading.value > 8;
        const isLast = reading.at === readings.at(-1)!.at;
        if (!isLast) expect(covering).toHaveLength(isOutside ? 1 : 0);
        if (isLast && isOutside) expect(excursions.at(-1)!.to).toBe(reading.at);
      }
    }),
  );
});
