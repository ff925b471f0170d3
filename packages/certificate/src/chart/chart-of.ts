/** Computes the chart of recorded temperatures, as shapes that HTML and PDF draw. Pure. */
import type { ConditionRecord } from '../history/conditions.ts';
import type { Texts } from '../texts/en.ts';
import type { Chart, Shape } from './chart.ts';
import {
  type ExcursionRange,
  excursionsOf,
  limitsOf,
  linesOf,
  type Range,
  rangeOf,
} from './ranges.ts';
import { plot, round, type Span, scales, shownSpan, ticksOf } from './scales.ts';

const [width, height] = [500, 160];
/** Excursions with a label of their extreme; more labels would overlap. */
const labelsMax = 6;

/**
 * Returns the chart of the records; null if none has valid times and extremes. A record without a
 * course is a block from its minimum to its maximum.
 * @param custody start of the pickup and delivery, as far as they are known.
 */
export const chartOf = (
  records: readonly ConditionRecord[],
  texts: Texts,
  custody: Partial<Span> = {},
): Chart | null => {
  const ranges = records.flatMap(rangeOf);
  if (ranges.length === 0) return null;
  const within = records.flatMap((one) => excursionsOf(one, one.excursions.listed));
  const outside = records.flatMap((one) => excursionsOf(one, one.custody?.outside.listed ?? []));
  const limits = limitsOf(records);
  const span = shownSpan([...ranges, ...within, ...outside], custody);
  const isShown = ({ from, to }: Span) => to >= span.from && from <= span.to;
  const excursions = within.filter(isShown);
  const shown = [...ranges, ...excursions, ...outside].filter(isShown);
  const values = [...shown.flatMap(({ min, max }) => [min, max]), ...limits];
  if (values.length === 0) return null;
  const [x, y] = scales(span, values);
  const box = (range: Range, role: 'range' | 'excursion' | 'outside'): Shape => ({
    kind: 'rect',
    role,
    x: x(range.from),
    y: round(y(range.max)),
    width: round(Math.max(x(range.to) - x(range.from), 2)),
    height: round(Math.max(y(range.min) - y(range.max), 2)),
  });
  const celsius = (value: number) => texts.temperature(value, 'celsius');
  const blocks = records.filter(({ curve }) => curve.length === 0).flatMap(rangeOf);
  const curves = records
    .flatMap(linesOf)
    .map((points) => points.filter(([at]) => isShown({ from: at, to: at })));
  const shapes: Shape[] = [
    ...ticksOf(Math.min(...values), Math.max(...values)).flatMap((tick): Shape[] => [
      { kind: 'line', role: 'grid', x1: plot.left, y1: y(tick), x2: plot.right, y2: y(tick) },
      label(plot.left - 5, y(tick) + 3, 'end', celsius(tick)),
    ]),
    { kind: 'line', role: 'axis', x1: plot.left, y1: plot.bottom, x2: plot.right, y2: plot.bottom },
    ...blocks.filter(isShown).map((range) => box(range, 'range')),
    ...outside.filter(isShown).map((range) => box(range, 'outside')),
    ...excursions.map((range) => box(range, 'excursion')),
    ...curves
      .filter((points) => points.length > 0)
      .map(
        (points): Shape => ({
          kind: 'curve',
          points: points.map(([at, value]) => [x(at), y(value)]),
        }),
      ),
    ...limits.flatMap((limit): Shape[] => [
      { kind: 'line', role: 'limit', x1: plot.left, y1: y(limit), x2: plot.right, y2: y(limit) },
      label(plot.right + 5, y(limit) + 3, 'start', celsius(limit), 'limit'),
    ]),
    ...(excursions.length > labelsMax ? [] : excursions).map((range) =>
      extremeLabel(range, x, y, celsius),
    ),
    ...custodyLines(custody, texts, x),
    ...timeLabels(span, texts),
  ];
  return { width, height, shapes };
};

type Scale = (value: number) => number;

const extremeLabel = (
  { from, to, extreme, isAbove }: ExcursionRange,
  x: Scale,
  y: Scale,
  celsius: (value: number) => string,
): Shape => {
  const at = isAbove ? y(extreme) - 3 : y(extreme) + 9;
  return label(round((x(from) + x(to)) / 2), round(at), 'middle', celsius(extreme), 'excursion');
};

/** Returns a line at the start of the custody and one at its end, with their names. */
const custodyLines = ({ from, to }: Partial<Span>, texts: Texts, x: Scale): Shape[] => {
  const ends: readonly (readonly [number | undefined, string])[] = [
    [from, texts.conditions.pickup],
    [to, texts.conditions.delivery],
  ];
  return ends.flatMap(([at, name]): Shape[] => {
    if (at === undefined) return [];
    const left = x(at);
    const anchor = left > (plot.left + plot.right) / 2 ? 'end' : 'start';
    const line = { x1: left, y1: plot.top, x2: left, y2: plot.bottom } as const;
    return [
      { kind: 'line', role: 'custody', ...line },
      label(left, plot.bottom + 25, anchor, name),
    ];
  });
};

const timeLabels = ({ from, to }: Span, texts: Texts): Shape[] => {
  const at = (ms: number) => texts.time(new Date(ms).toISOString());
  const y = plot.bottom + 14;
  return [label(plot.left, y, 'start', at(from)), label(plot.right, y, 'end', at(to))];
};

const label = (
  x: number,
  y: number,
  anchor: 'start' | 'middle' | 'end',
  text: string,
  role: 'label' | 'limit' | 'excursion' = 'label',
): Shape => ({ kind: 'text', role, x, y, anchor, text });
