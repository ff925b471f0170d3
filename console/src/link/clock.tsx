import { createContext, useContext } from 'react';
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

/**
 * A time by the clock of the place, such as `Mo., 30. Nov., 14:05 MEZ`, and beside it in UTC.
 * @param isLocal without UTC where the clock of the place is known.
 */
export const Clock = ({ at, isLocal = false }: { at: string; isLocal?: boolean }) => {
  const time = new Date(at);
  const local = localTime(time, useContext(Context));
  const [day, clock] = [time.toISOString().slice(0, 10), time.toISOString().slice(11, 16)];
  return (
    <time dateTime={at}>
      {local === '' ? (
        `${day} ${clock} UTC`
      ) : (
        <>
          {local}
          {!isLocal && (
            <>
              {' '}
              <span className="utc">{clock} UTC</span>
            </>
          )}
        </>
      )}
    </time>
  );
};
