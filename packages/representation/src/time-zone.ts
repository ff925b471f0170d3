/** `Intl.Locale` of the languages that TypeScript knows lacks it. */
type WithZones = Intl.Locale & { getTimeZones?(): readonly string[] | undefined };

const offsetIn = (timeZone: string, at: number): string =>
  new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset', hour: 'numeric' }).format(
    at,
  );

/** Returns a time by the clock of a zone, `YYYY-MM-DDTHH:mm`. @param at in ms since the epoch. */
export const clockIn = (timeZone: string, at: number): string =>
  new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short', timeStyle: 'short' })
    .format(at)
    .replace(' ', 'T');

/**
 * Returns when the clock of a zone shows a time, in ms since the epoch: one of both times if it shows
 * it twice, an hour before or after it if it leaves it out.
 * @param clock `YYYY-MM-DDTHH:mm`.
 */
export const instantIn = (timeZone: string, clock: string): number => {
  const wall = Date.parse(`${clock}Z`);
  const offsetAt = (at: number) => Date.parse(`${clockIn(timeZone, at)}Z`) - at;
  return wall - offsetAt(wall - offsetAt(wall));
};

const dayMs = 86_400_000;

/**
 * Returns when the clock of a zone shows a time of the day, in ms since the epoch: tomorrow if it is
 * over for 12 h.
 * @param time `HH:mm`.
 */
export const nearestIn = (timeZone: string, time: string, now: number): number => {
  const on = (day: number) => instantIn(timeZone, `${clockIn(timeZone, day).slice(0, 11)}${time}`);
  return now - on(now) > dayMs / 2 ? on(now + dayMs) : on(now);
};

const found = new Map<string, string | null>();
/** Names of countries that are kept; a place's country is any text. */
const foundMax = 300;

/**
 * Returns the time zone of a country, such as `Europe/Berlin` for `DE`; null for a country whose zones
 * differ in winter or summer, and for one that is not known.
 */
export const timeZoneOf = (country: string | undefined): string | null => {
  if (!country || !/^[A-Za-z]{2}$/.test(country)) return null;
  const known = found.get(country);
  if (known !== undefined) return known;
  const locale: WithZones = new Intl.Locale('und', { region: country });
  const zones = locale.getTimeZones?.() ?? [];
  const rules = zones.map((zone) => [0, 6].map((month) => offsetIn(zone, Date.UTC(2026, month))));
  const zone = zones.length > 0 && new Set(rules.map(String)).size === 1 ? zones[0]! : null;
  if (found.size < foundMax) found.set(country, zone);
  return zone;
};
