import { createHash } from 'node:crypto';
import { invalid } from '@pto/errors';
import type { Covered, Curve, Custody, Excursion } from '@pto/proto/payloads';
import { partOf } from './custody.ts';
import { findExcursions, type LocatedExcursion, secondsBetween } from './excursions.ts';
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
  /** Those within the custody, of which at most 100 are listed. */
  readonly inside: Excursions;
  /** Those outside of the custody, of which at most 20 are listed. */
  readonly outside: Excursions;
  /** What the readings within the custody say; null if there are none. */
  readonly covered: Covered | null;
  readonly curve: Curve;
  readonly normalizedSha256: string;
}

export interface Excursions {
  /** The first ones. */
  readonly listed: readonly Excursion[];
  /** Number of all. */
  readonly count: number;
  /** Duration of all. */
  readonly seconds: number;
}

const [insideMax, outsideMax] = [100, 20];
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
  custody: Custody,
): ConditionSummary => {
  const excursions = findExcursions(readings, unit, limits, custody);
  const values = readings.map(({ value }) => value);
  const { minimum, maximum } = extremesOf(readings);
  if (minimum < absoluteZero[unit])
    throw invalid(
      ['readings'],
      `a value is below absolute zero in ${unit}; check the unit`,
      minimum,
    );
  const within = readings.filter(({ at }) => partOf(custody, at) === 'within');
  return {
    ...spanOf(readings),
    minimum,
    maximum,
    mean: meanOf(values),
    intervalSeconds: longestGap(readings),
    inside: firstOf(
      excursions.filter(({ part }) => part === 'within'),
      insideMax,
    ),
    outside: firstOf(
      excursions.filter(({ part }) => part !== 'within'),
      outsideMax,
    ),
    covered: within.length === 0 ? null : { ...spanOf(within), ...extremesOf(within) },
    curve: curveOf(readings),
    normalizedSha256: normalizedSha256(readings, unit),
  };
};

const spanOf = (readings: readonly Reading[]) => ({
  from: readings[0]!.at,
  to: readings.at(-1)!.at,
  count: readings.length,
});

const extremesOf = (readings: readonly Reading[]) => {
  const values = readings.map(({ value }) => value);
  return {
    minimum: values.reduce((least, value) => Math.min(least, value)),
    maximum: values.reduce((greatest, value) => Math.max(greatest, value)),
  };
};

const firstOf = (all: readonly LocatedExcursion[], max: number): Excursions => ({
  listed: all.slice(0, max).map(({ part: _, ...excursion }) => excursion),
  count: all.length,
  seconds: sumOfSeconds(all),
});

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

/**
 * Returns the SHA-256 of readings whatever the form of their file (decision 79), as hexadecimal
 * digits. It is computed over UTF-8 lines that each end with a line feed: `time,UNIT`, then
 * `TIME,VALUE` for each reading, with the time in UTC with 3 decimals and the value as RFC 8785 writes
 * numbers.
 */
const normalizedSha256 = (readings: readonly Reading[], unit: TemperatureUnit): string => {
  const hash = createHash('sha256').update(`time,${unit}\n`);
  for (const { at, value } of readings) hash.update(`${at},${value}\n`);
  return hash.digest('hex');
};

const spansMax = 100;

/** @param readings at least 1, oldest first. */
export const curveOf = (readings: readonly Reading[]): Curve => {
  const times = readings.map(({ at }) => Date.parse(at));
  const [start, end] = [times[0]!, times.at(-1)!];
  const spans = Math.min(spansMax, readings.length);
  const minimum = Array<number | null>(spans).fill(null);
  const maximum = Array<number | null>(spans).fill(null);
  readings.forEach(({ value }, n) => {
    const passed = (times[n]! - start) / Math.max(end - start, 1);
    const span = Math.min(Math.floor(passed * spans), spans - 1);
    minimum[span] = Math.min(minimum[span] ?? value, value);
    maximum[span] = Math.max(maximum[span] ?? value, value);
  });
  return { minimum: minimum.map(rounded), maximum: maximum.map(rounded) };
};

const rounded = (value: number | null): number | null =>
  value === null ? null : Math.round(value * 100) / 100 + 0;
