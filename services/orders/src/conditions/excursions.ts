import type { Custody, Excursion } from '@pto/proto/payloads';
import { beginOf, type CustodyPart, endOf, partOf } from './custody.ts';
import type { Reading } from './reading.ts';
import { type Limits, limitIn, millionths, type TemperatureUnit } from './units.ts';

/** An excursion, and where in the custody it lies. */
export type LocatedExcursion = Excursion & { readonly part: CustodyPart };

/**
 * Returns all excursions of readings, oldest first. No two of them overlap.
 *
 * The limits are converted to the unit of the readings. Limits and values are compared in whole
 * millionths; a value at the limit is inside. A step from below one limit to above the other ends
 * an excursion and begins the next one. So does an end of the custody: an excursion is within it only
 * with a reading within it, so a logger that was started in a warm room is none (decision 78).
 * @param readings at least 1, oldest first.
 */
export const findExcursions = (
  readings: readonly Reading[],
  unit: TemperatureUnit,
  limits: Limits,
  custody: Custody,
): readonly LocatedExcursion[] => {
  const [min, max] = [limitIn(unit, limits.min), limitIn(unit, limits.max)];
  const excursions: LocatedExcursion[] = [];
  let open: Omit<LocatedExcursion, 'to' | 'seconds'> | undefined;
  const close = (to: string): void => {
    if (open) excursions.push({ ...open, to, seconds: secondsBetween(open.from, to) });
    open = undefined;
  };
  for (const { at, value } of readings) {
    const limit = violatedLimit(millionths(value), min, max);
    const part = partOf(custody, at);
    const from = open?.limit === limit && open?.part !== part ? beginOf(custody, part) : at;
    if (open && open.part !== part) close(endOf(custody, open.part));
    else if (open?.limit !== limit) close(at);
    if (limit === undefined) continue;
    const extreme = limit === 'min' ? Math.min : Math.max;
    open = {
      from: open?.from ?? from,
      limit,
      extreme: extreme(open?.extreme ?? value, value),
      part,
    };
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
