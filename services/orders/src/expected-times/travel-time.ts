/** Travel times by distance and time of day, where no routing engine says more. Pure. */
import { kilometers, type Point, timeZoneOf } from '@pto/representation';

/** Roads in Europe are 1.2 to 1.5 times as long as the great circle between their ends. */
const detour = 1.3;
/**
 * Mean speeds by parts of a way: the first and last kilometers are in a town, the next ones on main
 * roads, and only what exceeds them is on a motorway. Figures of a van that keeps to the limits.
 */
const parts = [
  { toKm: 10, kmPerHour: 25 },
  { toKm: 50, kmPerHour: 50 },
  { toKm: Number.POSITIVE_INFINITY, kmPerHour: 80 },
] as const;
/** By how much traffic slows down, by local hour: the peaks of commuters, the day, the night. */
const traffic = (hour: number): number => {
  if ((hour >= 7 && hour < 9) || (hour >= 16 && hour < 18)) return 1.4;
  return hour >= 6 && hour < 20 ? 1.15 : 1;
};

/**
 * Estimates a travel time in seconds.
 * @param country of the start: it has the local hour. Without its zone the sun has it.
 * @param atMs departure, in ms since the epoch.
 */
export const estimateSeconds = (
  from: Point & { readonly country?: string | undefined },
  to: Point,
  atMs: number,
): number => {
  const road = kilometers(from, to) * detour;
  let [hours, done] = [0, 0];
  for (const { toKm, kmPerHour } of parts) {
    const part = Math.min(road, toKm) - done;
    if (part <= 0) break;
    hours += part / kmPerHour;
    done += part;
  }
  return Math.round(hours * 3600 * traffic(localHour(from, atMs)));
};

const quarterMs = 900_000;
/** Hours by zone and quarter of an hour: an order's list asks for the same few again and again. */
const hours = new Map<string, number>();
const hoursMax = 1000;

const localHour = (
  { lng, country }: { readonly lng: number; readonly country?: string | undefined },
  atMs: number,
): number => {
  const zone = timeZoneOf(country);
  if (zone === null) return (((atMs / 3_600_000 + lng / 15) % 24) + 24) % 24;
  const name = `${zone} ${Math.floor(atMs / quarterMs)}`;
  const known = hours.get(name);
  if (known !== undefined) return known;
  const hour = Number(
    new Intl.DateTimeFormat('en', { timeZone: zone, hour: 'numeric', hourCycle: 'h23' }).format(
      atMs,
    ),
  );
  if (hours.size >= hoursMax) hours.clear();
  hours.set(name, hour);
  return hour;
};
