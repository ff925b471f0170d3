/** Computes the chart of recorded temperature ranges, as shapes that HTML and PDF draw. Pure. */
import { type ConditionRecord, toCelsius } from './history/conditions.ts';
import type { Texts } from './texts/en.ts';

/** Lengths are in points; y grows downward. */
export interface Chart {
  readonly width: number;
  readonly height: number;
  readonly shapes: readonly Shape[];
}

export type Shape =
  | {
      readonly kind: 'rect';
      readonly role: 'range' | 'excursion';
      readonly x: number;
      readonly y: number;
      readonly width: number;
      readonly height: number;
    }
  | {
      readonly kind: 'line';
      readonly role: 'grid' | 'axis' | 'limit';
      readonly x1: number;
      readonly y1: number;
      readonly x2: number;
      readonly y2: number;
    }
  | {
      readonly kind: 'text';
      readonly role: 'label' | 'limit' | 'excursion';
      /** Position of the anchor on the baseline. */
      readonly x: number;
      readonly y: number;
      readonly anchor: 'start' | 'middle' | 'end';
      readonly text: string;
    };

const [width, height] = [500, 150];
const plot = { left: 48, right: 440, top: 14, bottom: 128 };
/** Excursions with a label of their extreme; more labels would overlap. */
const labelsMax = 6;
const ticksMin = 3;

/** Values in °C, times in milliseconds since the epoch. */
interface Range {
  readonly from: number;
  readonly to: number;
  readonly min: number;
  readonly max: number;
}

/** Returns the chart of the records; null if none has valid times and extremes. */
export const chartOf = (records: readonly ConditionRecord[], texts: Texts): Chart | null => {
  const ranges = records.flatMap(rangeOf);
  if (ranges.length === 0) return null;
  const excursions = records.flatMap(excursionsOf);
  const limits = distinct(records.flatMap(({ limitMin, limitMax }) => [limitMin, limitMax]));
  const values = [...ranges.flatMap(({ min, max }) => [min, max]), ...limits];
  const [x, y] = scales(ranges, values);
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
    ...timeLabels(ranges, texts),
  ];
  return { width, height, shapes };
};

const rangeOf = ({ from, to, minimum, maximum, unit }: ConditionRecord): Range[] => {
  const times = [Date.parse(from), Date.parse(to)] as const;
  if (minimum === null || maximum === null || times.some(Number.isNaN)) return [];
  return [
    {
      from: times[0],
      to: times[1],
      min: toCelsius(minimum, unit),
      max: toCelsius(maximum, unit),
    },
  ];
};

const excursionsOf = (record: ConditionRecord) =>
  record.excursions.flatMap(({ from, to, limit, extreme }) => {
    const bound = limit === 'min' ? record.limitMin : record.limitMax;
    const times = [Date.parse(from), Date.parse(to)] as const;
    if (bound === null || extreme === null || times.some(Number.isNaN)) return [];
    const value = toCelsius(extreme, record.unit);
    return [
      {
        from: times[0],
        to: times[1],
        min: Math.min(bound, value),
        max: Math.max(bound, value),
        extreme: value,
        isAbove: limit !== 'min',
      },
    ];
  });

const distinct = (values: readonly (number | null)[]): number[] => [
  ...new Set(values.filter((value) => value !== null)),
];

/** Returns the functions from a time to x and from a temperature to y. */
const scales = (ranges: readonly Range[], values: readonly number[]) => {
  const start = Math.min(...ranges.map(({ from }) => from));
  const end = Math.max(...ranges.map(({ to }) => to));
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const margin = (high - low) * 0.12 || 1;
  const span = high - low + 2 * margin;
  const x = (at: number) =>
    plot.left + ((at - start) / Math.max(end - start, 1)) * (plot.right - plot.left);
  const y = (value: number) =>
    round(plot.bottom - ((value - low + margin) / span) * (plot.bottom - plot.top));
  return [x, y] as const;
};

/** Returns 3 to 7 round values between the bounds; the one value if the bounds are equal. */
const ticksOf = (low: number, high: number): number[] => {
  if (low === high) return [low];
  const power = 10 ** Math.floor(Math.log10((high - low) / ticksMin));
  const step = [5, 2, 1].map((n) => n * power).find((n) => (high - low) / n >= ticksMin) ?? power;
  const first = Math.ceil(low / step);
  const last = Math.floor(high / step);
  return Array.from({ length: last - first + 1 }, (_, n) => round((first + n) * step));
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

const round = (value: number): number => Math.round(value * 100) / 100;
