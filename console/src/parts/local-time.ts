/** Times by the clock of their place. Pure. */
import { timeZoneOf } from '@pto/representation';
import { shownLanguage } from './words.ts';

const formats = new Map<string, Readonly<Record<'near' | 'far', Intl.DateTimeFormat>>>();

const formatsOf = (timeZone: string) => {
  const locale = shownLanguage() === 'de' ? 'de' : 'en-GB';
  const clock = { timeZone, timeZoneName: 'short', hourCycle: 'h23' } as const;
  const near = { ...clock, hour: '2-digit', minute: '2-digit' } as const;
  const far = { ...near, weekday: 'short', day: '2-digit', month: 'short' } as const;
  return {
    near: new Intl.DateTimeFormat(locale, near),
    far: new Intl.DateTimeFormat(locale, far),
  };
};

/** A time that is no farther from now names no day. */
const nearMs = 12 * 3_600_000;

/**
 * Returns a time by the clock of a country, such as `14:05 CET` or `Mon 30 Nov, 14:05 CET`.
 * @param at ISO 8601.
 * @param now in ms since the epoch.
 */
export const placeTime = (at: string, country: string, now: number): string => {
  const { near, far } = formats.get(country) ?? formatsOf(timeZoneOf(country) ?? 'UTC');
  formats.set(country, { near, far });
  return (Math.abs(Date.parse(at) - now) < nearMs ? near : far).format(new Date(at));
};

const minuteMs = 60_000;

/** Returns the time until then, such as `in 1 h 05 min` or `12 min late`. */
export const countdown = (at: string, now: number): string => {
  const minutes = Math.trunc((Date.parse(at) - now) / minuteMs);
  const [h, min] = [Math.trunc(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  const words =
    h === 0 ? `${min} min` : h < 48 ? `${h} h ${min} min` : `${Math.round(h / 24)} days`;
  return Date.parse(at) < now ? `${words} late` : `in ${words}`;
};
