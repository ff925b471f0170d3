import { invalid } from '@pto/errors';
import type { JsonObject, Position } from './order.ts';

/**
 * Maximum time by which a command's time may be ahead of this process's clock, in ms (decision 30).
 */
const aheadMaxMs = 5 * 60_000;

/**
 * Returns the time of the custody entry: the command's time, or the current time if the command has
 * none. If this replica's clock is behind the previous entry's time, the previous entry's time is
 * returned instead of the current time.
 * @throws Failure VALIDATION if the command's time is more than 5 minutes ahead of the clock, or
 *   before the previous entry
 */
export const entryTime = (at: string | null, previous: string | null, now: number): string => {
  if (at === null) {
    const current = new Date(now).toISOString();
    return previous !== null && previous > current ? previous : current;
  }
  if (Date.parse(at) > now + aheadMaxMs)
    throw invalid(['at'], 'the time is more than 5 minutes ahead', at);
  if (previous !== null && at < previous)
    throw invalid(['at'], `the time is before the order's last event, ${previous}`, at);
  return at;
};

/**
 * Returns the position with 6 decimals (about 11 cm) and without negative zeros.
 * @throws Failure VALIDATION if degrees are out of range
 */
export const entryPosition = (position: Position | null): Position | null => {
  if (position === null) return null;
  const { lat, lng } = position;
  if (!(Math.abs(lat) <= 90)) throw invalid(['lat'], 'latitude lies between -90 and 90', lat);
  if (!(Math.abs(lng) <= 180)) throw invalid(['lng'], 'longitude lies between -180 and 180', lng);
  const round = (degrees: number) => Math.round(degrees * 1e6) / 1e6 + 0;
  return { lat: round(lat), lng: round(lng) };
};

/**
 * Merges the command's own payload members with the operator's.
 * @throws Failure VALIDATION if both have the same member
 */
export const entryPayload = (
  own: JsonObject | null,
  more: JsonObject | null,
): JsonObject | null => {
  if (own === null || more === null) return own ?? more;
  const collision = Object.keys(more).find((member) => Object.hasOwn(own, member));
  if (collision !== undefined)
    throw invalid(['payload', collision], 'this member is set by the command itself');
  return { ...own, ...more };
};
