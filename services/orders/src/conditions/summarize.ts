import { invalid } from '@pto/errors';
import { type Excursion, findExcursions, secondsBetween } from './excursions.ts';
import type { Reading } from './reading.ts';
import { type Limits, millionths, type TemperatureUnit } from './units.ts';

/** What readings say about a transport. Values are in the unit of the readings. */
export interface ConditionSummary {
  readonly count: number;
  /** Time of the first reading. */
  readonly from: string;
  /** Time of the last reading. */
  readonly to: string;
  readonly minimum: number;
  readonly maximum: number;
  /** Arithmetic mean of the values, with 2 decimals. */
  readonly mean: number;
  /** The longest time between two consecutive readings; null for one reading. */
  readonly intervalSeconds: number | null;
  /** The first 100 excursions. */
  readonly excursions: readonly Excursion[];
  /** Number of all excursions. */
  readonly excursionCount: number;
  /** Duration of all excursions. */
  readonly excursionSeconds: number;
}

const excursionsMax = 100;
const absoluteZero = { celsius: -273.15, fahrenheit: -459.67, kelvin: 0 } as const;

/**
 * Returns the summary of readings: extremes, mean, longest gap and excursions.
 * @param readings at least 1, oldest first.
 * @param limits of the order, in °C whatever the unit of the readings.
 * @throws Failure VALIDATION for a value below absolute zero.
 */
export const summarize = (
  readings: readonly Reading[],
  unit: TemperatureUnit,
  limits: Limits,
): ConditionSummary => {
  const excursions = findExcursions(readings, unit, limits);
  const values = readings.map(({ value }) => value);
  const minimum = values.reduce((least, value) => Math.min(least, value));
  if (minimum < absoluteZero[unit])
    throw invalid(
      ['readings'],
      `a value is below absolute zero in ${unit}; check the unit`,
      minimum,
    );
  return {
    count: readings.length,
    from: readings[0]!.at,
    to: readings.at(-1)!.at,
    minimum,
    maximum: values.reduce((greatest, value) => Math.max(greatest, value)),
    mean: meanOf(values),
    intervalSeconds: longestGap(readings),
    excursions: excursions.slice(0, excursionsMax),
    excursionCount: excursions.length,
    excursionSeconds: sumOfSeconds(excursions),
  };
};

/**
 * Returns the mean, rounded to 2 decimals and half away from zero. The sum is one of whole
 * millionths: 100,000 values of 1000 are 10^14, below 2^53, so it is exact.
 */
const meanOf = (values: readonly number[]): number => {
  const sum = values.reduce((total, value) => total + millionths(value), 0);
  const hundredth = values.length * 10_000;
  const hundredths = Math.floor((2 * Math.abs(sum) + hundredth) / (2 * hundredth));
  return (Math.sign(sum) * hundredths) / 100 + 0;
};

const longestGap = (readings: readonly Reading[]): number | null => {
  const gaps = readings.slice(1).map(({ at }, n) => secondsBetween(readings[n]!.at, at));
  return gaps.reduce<number | null>((longest, gap) => Math.max(longest ?? 0, gap), null);
};

/** Sums whole milliseconds, so that no decimals appear that the times do not have. */
const sumOfSeconds = (excursions: readonly Excursion[]): number =>
  excursions.reduce((ms, { seconds }) => ms + Math.round(seconds * 1000), 0) / 1000;
