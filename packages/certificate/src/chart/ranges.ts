/** Reads what a chart shows from temperature records: only what the entries hold. Pure. */
import { type ConditionRecord, toCelsius } from '../history/conditions.ts';

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

/** Returns the excursions that a record lists, with valid times and values. */
export const excursionsOf = (record: ConditionRecord): readonly ExcursionRange[] =>
  record.excursions.flatMap(({ from, to, limit, extreme: value }) => {
    const bound = limit === 'min' ? record.limitMin : record.limitMax;
    const times = [Date.parse(from), Date.parse(to)] as const;
    if (!isPlotted(bound) || !isPlotted(value) || times.some(Number.isNaN)) return [];
    const extreme = toCelsius(value, record.unit);
    const [min, max] = [Math.min(bound, extreme), Math.max(bound, extreme)];
    return [{ from: times[0], to: times[1], min, max, extreme, isAbove: limit !== 'min' }];
  });

/** Returns the limits of the records, each one time. */
export const limitsOf = (records: readonly ConditionRecord[]): readonly number[] => [
  ...new Set(records.flatMap(({ limitMin, limitMax }) => [limitMin, limitMax]).filter(isPlotted)),
];
