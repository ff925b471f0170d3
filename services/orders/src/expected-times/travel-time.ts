/** Travel times by distance and time of day, where no routing engine says more. Pure. */
import { kilometers, type Point, timeZoneOf } from '@pto/representation';

interface Start extends Point {
  readonly country: string;
}

/** Roads in Europe are 1.2 to 1.5 times as long as the great circle between their ends. */
const detour = 1.3;
/**
 * Parts of a way, from and to km, and mean speeds in km/h: the first and last kilometers are in a town, the next ones on main
 * roads, and only what exceeds them is on a motorway. Figures of a van that keeps to the limits.
 */
const parts = [
  [0, 10, 25],
  [10, 50, 50],
  [50, Number.POSITIVE_INFINITY, 80],
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
export const estimateSeconds = (from: Start, to: Point, atMs: number): number => {
  const road = kilometers(from, to) * detour;
  const drive = parts.reduce(
    (sum, [fromKm, toKm, kmPerHour]) =>
      sum + Math.max(0, Math.min(road, toKm) - fromKm) / kmPerHour,
    0,
  );
  return Math.round(drive * 3600 * traffic(localHour(from, atMs)));
};

/** Hours by zone and quarter of an hour: a list asks for the same few again and again. */
const [hours, hoursMax, quarterMs] = [new Map<string, number>(), 1000, 900_000];

const localHour = ({ lng, country }: Start, atMs: number): number => {
  const zone = timeZoneOf(country);
  if (zone === null) return (((atMs / 3_600_000 + lng / 15) % 24) + 24) % 24;
  const name = `${zone} ${Math.floor(atMs / quarterMs)}`;
  const known = hours.get(name);
  if (known !== undefined) return known;
  const clock = { timeZone: zone, hour: 'numeric', hourCycle: 'h23' } as const;
  const hour = Number(new Intl.DateTimeFormat('en', clock).format(atMs));
  if (hours.size >= hoursMax) hours.clear();
  hours.set(name, hour);
  return hour;
};
