import type { Language } from './api.ts';

const utc = (at: Date, isOtherDay: boolean): string =>
  `${isOtherDay ? `${at.toISOString().slice(0, 10)} ` : ''}${at.toISOString().slice(11, 16)} UTC`;

/**
 * Returns a time by the clock of the place, such as `Mo., 30. Nov., 14:05 MEZ`, and in UTC.
 * @param timeZone null: the clock of the place is not known.
 */
export const clockTime = (
  at: string,
  language: Language,
  timeZone: string | null,
): { local: string; utc: string } => {
  const time = new Date(at);
  if (timeZone === null) return { local: '', utc: utc(time, true) };
  const local = new Intl.DateTimeFormat(language === 'de' ? 'de-DE' : 'en-GB', {
    ...{ timeZone, timeZoneName: 'short', weekday: 'short', day: 'numeric', month: 'short' },
    ...{ hour: '2-digit', minute: '2-digit' },
  }).format(time);
  return { local, utc: utc(time, false) };
};

/** A time by the clock of the place, and beside it in UTC. */
export const Clock = (of: { at: string; language: Language; timeZone: string | null }) => {
  const { local, utc: universal } = clockTime(of.at, of.language, of.timeZone);
  return (
    <time dateTime={of.at}>
      {local} <span className={local === '' ? '' : 'faint'}>{universal}</span>
    </time>
  );
};
