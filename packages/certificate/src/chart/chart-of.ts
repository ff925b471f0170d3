/** Computes the chart of recorded temperature ranges, as shapes that HTML and PDF draw. Pure. */
import type { ConditionRecord } from '../history/conditions.ts';
import type { Texts } from '../texts/en.ts';
import type { Chart, Shape } from './chart.ts';
import { excursionsOf, limitsOf, type Range, rangeOf } from './ranges.ts';
import { plot, round, scales, ticksOf } from './scales.ts';

const [width, height] = [500, 150];
/** Excursions with a label of their extreme; more labels would overlap. */
const labelsMax = 6;

/** Returns the chart of the records; null if none has valid times and extremes. */
export const chartOf = (records: readonly ConditionRecord[], texts: Texts): Chart | null => {
  const ranges = records.flatMap(rangeOf);
  if (ranges.length === 0) return null;
  const excursions = records.flatMap(excursionsOf);
  const limits = limitsOf(records);
  const shown = [...ranges, ...excursions];
  const values = [...shown.flatMap(({ min, max }) => [min, max]), ...limits];
  const [x, y] = scales(shown, values);
  const box = (range: Range, role: 'range' | 'excursion'): Shape => ({
    kind: 'rect',
    role,
    x: round(x(range.from)),
    y: round(y(range.max)),
    width: round(Math.max(x(range.to) - x(range.from), 2)),
    height: round(Math.max(y(range.min) - y(range.max), 2)),
  });
  const celsius = (value: number) => texts.temperature(value, 'celsius');
  const shapes: Shape[] = [
    ...ticksOf(Math.min(...values), Math.max(...values)).flatMap((tick): Shape[] => [
      { kind: 'line', role: 'grid', x1: plot.left, y1: y(tick), x2: plot.right, y2: y(tick) },
      label(plot.left - 5, y(tick) + 3, 'end', celsius(tick)),
    ]),
    { kind: 'line', role: 'axis', x1: plot.left, y1: plot.bottom, x2: plot.right, y2: plot.bottom },
    ...ranges.map((range) => box(range, 'range')),
    ...excursions.map((range) => box(range, 'excursion')),
    ...limits.flatMap((limit): Shape[] => [
      { kind: 'line', role: 'limit', x1: plot.left, y1: y(limit), x2: plot.right, y2: y(limit) },
      label(plot.right + 5, y(limit) + 3, 'start', celsius(limit), 'limit'),
    ]),
    ...(excursions.length > labelsMax ? [] : excursions).map((range) => {
      const middle = round((x(range.from) + x(range.to)) / 2);
      const { extreme, isAbove } = range;
      const at = isAbove ? y(extreme) - 3 : y(extreme) + 9;
      return label(middle, round(at), 'middle', celsius(extreme), 'excursion');
    }),
    ...timeLabels(shown, texts),
  ];
  return { width, height, shapes };
};

const timeLabels = (ranges: readonly Range[], texts: Texts): Shape[] => {
  const at = (ms: number) => texts.time(new Date(ms).toISOString());
  const y = plot.bottom + 14;
  return [
    label(plot.left, y, 'start', at(Math.min(...ranges.map(({ from }) => from)))),
    label(plot.right, y, 'end', at(Math.max(...ranges.map(({ to }) => to)))),
  ];
};

const label = (
  x: number,
  y: number,
  anchor: 'start' | 'middle' | 'end',
  text: string,
  role: 'label' | 'limit' | 'excursion' = 'label',
): Shape => ({ kind: 'text', role, x, y, anchor, text });
