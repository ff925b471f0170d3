/** Times by the phone's own clock: a driver reads them where they happen. */
import { shownLanguage, t } from '../parts/words.ts';

const format = (options: Intl.DateTimeFormatOptions) => (at: Date) =>
  new Intl.DateTimeFormat(shownLanguage() === 'de' ? 'de' : 'en-GB', options).format(at);
const clock = format({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const day = format({ weekday: 'short', day: 'numeric', month: 'short' });

/** Returns a time such as `14:05`, with its day unless it is today. @param at ISO 8601. */
export const when = (at: string): string => {
  const time = new Date(at);
  const isToday = time.toDateString() === new Date().toDateString();
  return isToday ? clock(time) : `${day(time)}, ${clock(time)}`;
};

/** Returns a window such as `14:05 to 15:00`; without its end, `from 14:05`. */
export const windowOf = (start: string, end: string | undefined): string => {
  if (end === undefined) return t('from {time}', { time: when(start) });
  const isOneDay = new Date(start).toDateString() === new Date(end).toDateString();
  return `${when(start)} ${t('to')} ${isOneDay ? clock(new Date(end)) : when(end)}`;
};
