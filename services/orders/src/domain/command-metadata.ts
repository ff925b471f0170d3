import { invalid } from '@pto/errors';
import type { JsonObject, Position } from './order.ts';

/** How far ahead of our clock a command's time may lie (decision 30). */
const aheadMaxMs = 5 * 60_000;

/**
 * The entry's time: what the command says, else now; never before the entry before it, so that a
 * replica whose clock is behind does not turn a chain's time back.
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

/** Degrees in range, rounded to 6 decimals (about 11 cm), without a negative zero. */
export const entryPosition = (position: Position | null): Position | null => {
  if (position === null) return null;
  const { lat, lng } = position;
  if (!(Math.abs(lat) <= 90)) throw invalid(['lat'], 'latitude lies between -90 and 90', lat);
  if (!(Math.abs(lng) <= 180)) throw invalid(['lng'], 'longitude lies between -180 and 180', lng);
  const round = (degrees: number) => Math.round(degrees * 1e6) / 1e6 + 0;
  return { lat: round(lat), lng: round(lng) };
};

/** The command's own members and the operator's, side by side; a member of both is rejected. */
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
