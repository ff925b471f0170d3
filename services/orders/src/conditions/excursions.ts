import type { Reading } from './reading.ts';
import { type Limits, limitIn, millionths, type TemperatureUnit } from './units.ts';

/** Consecutive readings outside of one limit. */
export type Excursion = {
  /** Time of the first reading outside. */
  readonly from: string;
  /** Time of the first reading that is no longer outside, or of the last reading. */
  readonly to: string;
  readonly seconds: number;
  readonly limit: 'min' | 'max';
  /** The lowest or the highest value, in the unit of the readings. */
  readonly extreme: number;
};

/**
 * Returns all excursions of readings, oldest first. No two of them overlap.
 *
 * The limits are converted to the unit of the readings. Limits and values are compared in whole
 * millionths; a value at the limit is inside. A step from below one limit to above the other ends
 * an excursion and begins the next one.
 * @param readings at least 1, oldest first.
 */
export const findExcursions = (
  readings: readonly Reading[],
  unit: TemperatureUnit,
  limits: Limits,
): readonly Excursion[] => {
  const [min, max] = [limitIn(unit, limits.min), limitIn(unit, limits.max)];
  const excursions: Excursion[] = [];
  let open: Pick<Excursion, 'from' | 'limit' | 'extreme'> | undefined;
  const close = (to: string): void => {
    if (open) excursions.push({ ...open, to, seconds: secondsBetween(open.from, to) });
    open = undefined;
  };
  for (const { at, value } of readings) {
    const limit = violatedLimit(millionths(value), min, max);
    if (open?.limit !== limit) close(at);
    if (limit === undefined) continue;
    const extreme = limit === 'min' ? Math.min : Math.max;
    open = { from: open?.from ?? at, limit, extreme: extreme(open?.extreme ?? value, value) };
  }
  close(readings.at(-1)!.at);
  return excursions;
};

const violatedLimit = (
  value: number,
  min: number | null,
  max: number | null,
): Excursion['limit'] | undefined => {
  if (min !== null && value < min) return 'min';
  return max !== null && value > max ? 'max' : undefined;
};

/** Returns the seconds between two times, with at most 3 decimals. */
export const secondsBetween = (from: string, to: string): number =>
  (Date.parse(to) - Date.parse(from)) / 1000;
