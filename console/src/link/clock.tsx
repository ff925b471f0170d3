import { createContext, useContext } from 'react';
import { largestUnit } from '../parts/duration.ts';
import type { Language } from '../parts/words.ts';

/** How the page writes times. */
export interface Clocks {
  readonly language: Language;
  /** Of the place; null: not known. */
  readonly timeZone: string | null;
  /** The time by which a time is of today or of this year. */
  readonly now: string;
}

/** Returns the time by the clock of the place: its day unless it is today, its year unless it is this one. */
const localTime = (at: Date, { language, timeZone, now }: Clocks): string => {
  if (timeZone === null) return '';
  const format = (time: Date, options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(language === 'de' ? 'de-DE' : 'en-GB', { timeZone, ...options }).format(
      time,
    );
  const isSame = (...parts: readonly ('year' | 'month' | 'day')[]) => {
    const options = Object.fromEntries(parts.map((part) => [part, 'numeric']));
    return format(at, options) === format(new Date(now), options);
  };
  return format(at, {
    ...(!isSame('year', 'month', 'day') && { weekday: 'short', day: 'numeric', month: 'short' }),
    ...(!isSame('year') && { year: 'numeric' }),
    ...{ hour: '2-digit', minute: '2-digit', timeZoneName: 'short' },
  });
};

const Context = createContext<Clocks>({ language: 'en', timeZone: null, now: '' });
export const ClocksOf = Context.Provider;

/** A time by the clock of the place, such as `Mo., 30. Nov., 14:05 MEZ`, and in UTC when pointed at. */
export const Clock = ({ at }: { at: string }) => {
  const utc = `${at.slice(0, 16).replace('T', ' ')} UTC`;
  return (
    <time dateTime={at} title={utc}>
      {localTime(new Date(at), useContext(Context)) || utc}
    </time>
  );
};

/** How far away a time is, such as `in 8 hours`. @param from the present time. */
export const distance = (at: string, from: string, language: Language): string => {
  const seconds = (Date.parse(at) - Date.parse(from)) / 1000;
  const [value, unit] = largestUnit(seconds);
  return new Intl.RelativeTimeFormat(language).format(value, unitNames[unit]);
};
const unitNames = { day: 'day', h: 'hour', min: 'minute', s: 'second' } as const;
