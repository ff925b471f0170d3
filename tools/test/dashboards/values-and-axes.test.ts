import { expect, test } from '@jest/globals';
import { axisOf, chart } from '../../dashboards/chart.ts';
import { nameOf, queryOf } from '../../dashboards/dashboard.ts';
import { colorOf } from '../../dashboards/panel.ts';
import { formatValue } from '../../dashboards/units.ts';

test.each([
  ['percentunit', 0.0012, 3, '0.120 %'],
  ['percentunit', 0, 2, '0.00 %'],
  ['s', 0, undefined, '0 s'],
  ['s', 0.0042, undefined, '4.2 ms'],
  ['s', 90, undefined, '1.5 min'],
  ['s', 1_209_600, undefined, '14 d'],
  ['bytes', 268_435_456, undefined, '256 MiB'],
  ['reqps', 0.25, undefined, '0.25/s'],
  ['ops', 12_345, undefined, '12.35 k/s'],
  ['short', 3, undefined, '3'],
  ['short', 1000, undefined, '1 k'],
])('a value of the unit %s: %d with decimals %s is %s', (unit, value, decimals, text) => {
  expect(formatValue(unit, value, decimals)).toBe(text);
});

test('a unit without a format is an error that names it', () => {
  expect(() => formatValue('furlongs', 1)).toThrow('furlongs');
});

test.each([
  [0, 1],
  [0.9, 1],
  [1, 1],
  [7, 8],
  [120, 150],
  [0.000_7, 0.000_8],
])('the axis for values up to %d ends at %d', (largest, end) => {
  const axis = axisOf(largest);
  expect(axis.end).toBeCloseTo(end, 9);
  expect(axis.end / axis.step).toBeLessThanOrEqual(5);
});

test('the axis of bytes has steps of whole units', () => {
  expect(axisOf(300 * 2 ** 20, 1024)).toEqual({ end: 300 * 2 ** 20, step: 100 * 2 ** 20 });
  expect(axisOf(900, 1024)).toEqual({ end: 1000, step: 500 });
});

test('a line has a gap where points are missing', () => {
  const points = [0, 15, 30, 90, 105, 300].map((time) => ({ time, value: 1 }));
  const svg = chart([{ name: 'one', points }], { start: 0, end: 300, step: 15 }, 'short', 300);
  expect(svg.match(/<polyline/g)).toHaveLength(2);
  expect(svg.match(/<circle/g)).toHaveLength(1);
});

test('a value has the color of the last threshold that it reaches', () => {
  const steps = [
    { color: 'green', value: null },
    { color: 'orange', value: 900 },
    { color: 'red', value: 3600 },
  ] as const;
  expect([0, 900, 3599, 3600].map((value) => colorOf(steps, value))).toEqual([
    'green',
    'orange',
    'orange',
    'red',
  ]);
  expect(colorOf(undefined, 1)).toBe('none');
});

test('a query gets the namespace and an interval of at least four scrapes', () => {
  const variables = { namespace: 'a"b', stepSeconds: 15, scrapeSeconds: 15 };
  const expr = 'rate(x{namespace=~"$namespace"}[$__rate_interval])';
  expect(queryOf(expr, variables)).toBe('rate(x{namespace=~"a\\"b"}[60s])');
  expect(queryOf(expr, { ...variables, stepSeconds: 90 })).toContain('[105s]');
});

test('a series is named by its labels, a missing one left out', () => {
  expect(nameOf('{{service}} {{topic}} sent', { service: 'orders' })).toBe('orders  sent');
});
