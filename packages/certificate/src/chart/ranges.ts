/** Reads what a chart shows from temperature records: only what the entries hold. Pure. */
import { type ConditionRecord, toCelsius } from '../history/conditions.ts';
import type { RecordExcursions } from '../history/custody.ts';

/** Values in °C, times in milliseconds since the epoch. */
export interface Range {
  readonly from: number;
  readonly to: number;
  readonly min: number;
  readonly max: number;
}

/** From the limit to the extreme value. */
export interface ExcursionRange extends Range {
  readonly extreme: number;
  readonly isAbove: boolean;
}

/** No logger measures more, in °C; a larger value would not leave room for the others. */
const plottedMax = 10_000;

const isPlotted = (value: number | null): value is number =>
  value !== null && Math.abs(value) <= plottedMax;

/** Returns the range of a record; none without valid times and extremes. */
export const rangeOf = ({
  from,
  to,
  minimum,
  maximum,
  unit,
}: ConditionRecord): readonly Range[] => {
  const times = [Date.parse(from), Date.parse(to)] as const;
  if (!isPlotted(minimum) || !isPlotted(maximum) || times.some(Number.isNaN)) return [];
  const [min, max] = [toCelsius(minimum, unit), toCelsius(maximum, unit)];
  return [{ from: times[0], to: times[1], min, max }];
};

/** Returns excursions of a record with valid times and values. */
export const excursionsOf = (
  record: ConditionRecord,
  listed: RecordExcursions['listed'],
): readonly ExcursionRange[] =>
  listed.flatMap(({ from, to, limit, extreme: value }) => {
    const bound = limit === 'min' ? record.limitMin : record.limitMax;
    const times = [Date.parse(from), Date.parse(to)] as const;
    if (!isPlotted(bound) || !isPlotted(value) || times.some(Number.isNaN)) return [];
    const extreme = toCelsius(value, record.unit);
    const [min, max] = [Math.min(bound, extreme), Math.max(bound, extreme)];
    return [{ from: times[0], to: times[1], min, max, extreme, isAbove: limit !== 'min' }];
  });

/**
 * Returns the course of a record in lines: points in time and °C, the extremes of each span in the
 * order that makes the shorter line. A gap of two spans or more divides them.
 */
export const linesOf = (record: ConditionRecord): readonly (readonly Point[])[] => {
  const [range] = rangeOf(record);
  if (!range || record.curve.length === 0) return [];
  const lines: Point[][] = [];
  let last = -Infinity;
  record.curve.forEach((span, n) => {
    if (!span?.every(isPlotted)) return;
    const at = range.from + ((n + 0.5) / record.curve.length) * (range.to - range.from);
    const line = n - last <= 2 ? lines.at(-1)! : [];
    if (line.length === 0) lines.push(line);
    const [low, high] = span.map((value) => toCelsius(value, record.unit)) as [number, number];
    const before = line.at(-1)?.[1] ?? low;
    const isRising = Math.abs(before - low) <= Math.abs(before - high);
    const ends = low === high ? [low] : isRising ? [low, high] : [high, low];
    line.push(...ends.map((value): Point => [at, value]));
    last = n;
  });
  return lines;
};

/** Time and °C. */
export type Point = readonly [at: number, value: number];

/** Returns the limits of the records, each one time. */
export const limitsOf = (records: readonly ConditionRecord[]): readonly number[] => [
  ...new Set(records.flatMap(({ limitMin, limitMax }) => [limitMin, limitMax]).filter(isPlotted)),
];
