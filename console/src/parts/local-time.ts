/** Times by the clock of their place. Pure. */
import { timeZoneOf } from '@pto/representation';
import { shownLanguage, t } from './words.ts';

const formats = new Map<
  string,
  Readonly<Record<'near' | 'far' | 'farthest', Intl.DateTimeFormat>>
>();

const formatsOf = (timeZone: string) => {
  const locale = shownLanguage() === 'de' ? 'de' : 'en-GB';
  const clock = { timeZone, timeZoneName: 'short', hourCycle: 'h23' } as const;
  const near = { ...clock, hour: '2-digit', minute: '2-digit' } as const;
  const far = { ...near, weekday: 'short', day: '2-digit', month: 'short' } as const;
  return {
    near: new Intl.DateTimeFormat(locale, near),
    far: new Intl.DateTimeFormat(locale, far),
    farthest: new Intl.DateTimeFormat(locale, { ...far, year: 'numeric' }),
  };
};

/** A time that is no farther from now names no day, or no year. */
const [nearMs, farMs] = [12 * 3_600_000, 180 * 86_400_000];

/**
 * Returns a time by the clock of a country, such as `14:05 CET` or `Mon 30 Nov, 14:05 CET`, with the
 * year if it is half a year away.
 * @param at ISO 8601.
 * @param now in ms since the epoch.
 */
export const placeTime = (at: string, country: string, now: number): string => {
  const known = formats.get(country) ?? formatsOf(timeZoneOf(country) ?? 'UTC');
  formats.set(country, known);
  const awayMs = Math.abs(Date.parse(at) - now);
  const format = awayMs < nearMs ? 'near' : awayMs < farMs ? 'far' : 'farthest';
  return known[format].format(new Date(at));
};

const minuteMs = 60_000;

/** Returns the time until then, such as `in 1 h 5 min` or `12 min late`; days as ages have them. */
export const countdown = (at: string, now: number): string => {
  const minutes = Math.trunc((Date.parse(at) - now) / minuteMs);
  const [h, min] = [Math.trunc(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  const days = { count: Math.trunc(h / 24) };
  const time = h === 0 ? `${min} min` : h < 48 ? `${h} h ${min} min` : t('{count} days', days);
  if (Date.parse(at) < now) return t('{time} late', { time });
  return h < 48 ? t('in {time}', { time }) : t('in {count} days', days);
};
