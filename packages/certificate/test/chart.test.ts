import { expect, test } from '@jest/globals';
import type { Shape } from '../src/chart/chart.ts';
import { chartOf } from '../src/chart/chart-of.ts';
import { conditionOf, recordsOfHistory } from '../src/history/conditions.ts';
import { entriesOf } from '../src/history/entries.ts';
import { en } from '../src/texts/en.ts';
import { condition } from './samples/a-history.ts';

/** As entries were before they had a course. */
const { curve: _, ...block } = condition;
const chartWith = (...payloads: readonly object[]) => chartIn({}, ...payloads);
const chartIn = (custody: { from?: number; to?: number }, ...payloads: readonly object[]) => {
  const entries = payloads.map((payload) => ({ internal_type: 'CONDITION_RECORDED', payload }));
  return chartOf(recordsOfHistory(entriesOf({ entries })).map(conditionOf), en, custody);
};
const rects = (shapes: readonly Shape[] = [], role: string) =>
  shapes.flatMap((shape) => (shape.kind === 'rect' && shape.role === role ? [shape] : []));
const words = (shapes: readonly Shape[] = [], role: string) =>
  shapes.flatMap((shape) => (shape.kind === 'text' && shape.role === role ? [shape.text] : []));

test('shows the range of a record, its limits, and its excursion above the limit', () => {
  const shapes = chartWith(block)?.shapes;
  const [range, excursion] = [rects(shapes, 'range')[0]!, rects(shapes, 'excursion')[0]!];
  expect([range.x, range.width]).toEqual([48, 392]);
  // 11:20 of 9:40 to 12:40, for 12.5 minutes
  expect(excursion.x).toBeCloseTo(48 + (392 * 100) / 180, 1);
  expect(excursion.width).toBeCloseTo((392 * 12.5) / 180, 1);
  expect(excursion.y).toBe(range.y);
  expect(words(shapes, 'limit')).toEqual(['2 °C', '8 °C']);
  expect(words(shapes, 'excursion')).toEqual(['9.4 °C']);
});

test('converts records in Fahrenheit and Kelvin to the scale of the limits', () => {
  const ranges = [
    { ...block, minimum: 3, maximum: 5 },
    { ...block, unit: 'fahrenheit', minimum: 37.4, maximum: 41 },
    { ...block, unit: 'kelvin', minimum: 276.15, maximum: 278.15 },
  ].map((payload) => rects(chartWith({ ...payload, excursions: [] })?.shapes, 'range'));
  expect(ranges[1]).toEqual(ranges[0]);
  expect(ranges[2]).toEqual(ranges[0]);
});

const curvesIn = (shapes: readonly Shape[] = []) =>
  shapes.flatMap((shape) => (shape.kind === 'curve' ? [shape.points] : []));

test('draws the course of a record through the extremes of its spans, without a block', () => {
  const payload = { ...condition, curve: { minimum: [4, 5, 3], maximum: [4, 6, 9.4] } };
  const { shapes } = chartWith(payload)!;
  expect(rects(shapes, 'range')).toEqual([]);
  const [points] = curvesIn(shapes);
  expect(points!.map(([x]) => x)).toEqual([113.33, 244, 244, 374.67, 374.67]);
  const [first, low, high, , peak] = points!.map(([, y]) => y) as [
    number,
    number,
    number,
    number,
    number,
  ];
  expect([first > low, low > high, peak < high]).toEqual([true, true, true]);
});

test('divides the course at a gap of two spans, and not at one empty span', () => {
  const withSpans = (...minimum: (number | null)[]) =>
    curvesIn(chartWith({ ...condition, curve: { minimum, maximum: minimum } })!.shapes);
  expect(withSpans(4, null, 5)).toHaveLength(1);
  expect(withSpans(4, null, null, 5)).toHaveLength(2);
  expect(withSpans(null, 4)).toHaveLength(1);
});

const at = (time: string) => Date.parse(`2026-11-27T${time}Z`);

test('marks the ends of the custody, and shows excursions outside of it apart', () => {
  const outside = {
    ...{ excursion_count: 1, excursion_seconds: 600 },
    excursions: [
      { ...condition.excursions[0], from: '2026-11-27T09:40:00Z', to: '2026-11-27T09:50:00Z' },
    ],
  };
  const payload = { ...condition, custody: { ...condition.custody, outside } };
  const { shapes } = chartIn({ from: at('10:00:00'), to: at('12:00:00') }, payload)!;
  expect(rects(shapes, 'outside')).toHaveLength(1);
  expect(rects(shapes, 'excursion')).toHaveLength(1);
  expect(words(shapes, 'label')).toEqual(
    expect.arrayContaining(['pickup started', 'delivered', '2026-11-27, 09:40 UTC']),
  );
  const lines = shapes.filter((shape) => shape.kind === 'line' && shape.role === 'custody');
  expect(lines).toHaveLength(2);
});

test('shows no years before the custody, but as much as the custody is long', () => {
  const payload = { ...condition, from: '1970-01-01T00:00:00Z' };
  const { shapes } = chartIn({ from: at('10:00:00'), to: at('13:00:00') }, payload)!;
  expect(words(shapes, 'label')).toContain('2026-11-27, 07:00 UTC');
  expect(words(shapes, 'label').join()).not.toContain('1970');
});

test('labels 6 excursions, and none of 7', () => {
  const excursions = Array.from({ length: 7 }, () => condition.excursions[0]!);
  const labels = (count: number) =>
    words(chartWith({ ...condition, excursions: excursions.slice(0, count) })?.shapes, 'excursion');
  expect(labels(6)).toHaveLength(6);
  expect(labels(7)).toEqual([]);
});

test('is absent without a record that has times and extremes', () => {
  expect(chartWith()).toBeNull();
  expect(chartWith({ ...condition, minimum: null })).toBeNull();
  expect(chartWith({ ...condition, from: 'yesterday' })).toBeNull();
});

test('leaves out values above 10,000 °C, but not 10,000 °C', () => {
  expect(chartWith({ ...condition, maximum: 1e308 })).toBeNull();
  expect(chartWith({ ...condition, maximum: 10_000 })).not.toBeNull();
  const huge = { ...condition.excursions[0], extreme: 1e308 };
  const shapes = chartWith({ ...condition, excursions: [huge], limit_min: -1e308 })?.shapes;
  expect(rects(shapes, 'excursion')).toEqual([]);
  expect(words(shapes, 'limit')).toEqual(['8 °C']);
});

test('has all shapes inside its area', () => {
  const far = { ...condition.excursions[0], to: '2026-11-28T09:00:00.000Z', extreme: 90 };
  const chart = chartWith({ ...condition, excursions: [far] })!;
  for (const { x, y, width, height } of rects(chart.shapes, 'excursion')) {
    expect(Math.min(x, y)).toBeGreaterThanOrEqual(0);
    expect(x + width).toBeLessThanOrEqual(chart.width);
    expect(y + height).toBeLessThanOrEqual(chart.height);
  }
});
