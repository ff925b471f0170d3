/** Times of a driver by the clock of their place. */
import { timeZoneOf } from '@pto/representation';
import { shownLanguage, t } from '../parts/words.ts';

const clock = { hour: '2-digit', minute: '2-digit' } as const;
const day = { weekday: 'short', day: 'numeric', month: 'short' } as const;

const format = (timeZone: string | undefined, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(shownLanguage() === 'de' ? 'de' : 'en-GB', { timeZone, ...options });

/**
 * Returns a time such as `14:05`, with its day unless it is today, and with the zone if the phone has
 * another one: `Tue 1 Dec, 14:05 CET`.
 * @param at ISO 8601.
 * @param country of the place; absent: by the phone's own clock.
 * @param until the end of a window: `14:05 – 15:00`.
 */
export const when = (at: string, country = '', until = at): string => {
  const timeZone = timeZoneOf(country) ?? undefined;
  const times = [new Date(at), new Date(until)] as const;
  const isToday = times.every(
    (time) => format(timeZone, day).format(time) === format(timeZone, day).format(),
  );
  const isOwn =
    format(timeZone, clock).format(times[0]) === format(undefined, clock).format(times[0]);
  const shown = {
    ...(!isToday && day),
    ...clock,
    ...(!isOwn && ({ timeZoneName: 'short' } as const)),
  };
  return format(timeZone, shown).formatRange(...times);
};

/** Returns a window; without its end, `from 14:05`. */
export const windowOf = (start: string, end: string | undefined, country: string): string =>
  end === undefined ? t('from {time}', { time: when(start, country) }) : when(start, country, end);
