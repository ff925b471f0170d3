import { useSyncExternalStore } from 'react';
import { largestUnit } from './duration.ts';
import { visibleText } from './visible-text.ts';
import { t } from './words.ts';

/**
 * Returns a time as every page writes it, to the second: `2026-01-15 09:30:00 UTC`. A text that is no
 * time, such as one of a tampered entry, stays as it is.
 */
export const exactTime = (at: string | Date): string => {
  const time = new Date(at);
  if (Number.isNaN(time.getTime())) return visibleText(`${at}`);
  return `${time.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
};

/** Returns a time relative to now, such as `3 min ago`, `in 2 h` or `4 days ago`. */
const relative = (at: string): string => {
  const seconds = Math.trunc((Date.parse(at) - Date.now()) / 1000);
  if (Number.isNaN(seconds)) return visibleText(at);
  if (seconds === 0) return t('just now');
  const isOver = Date.parse(at) <= Date.now();
  const [value, unit] = largestUnit(Math.abs(seconds));
  if (unit !== 'day') return t(isOver ? '{time} ago' : 'in {time}', { time: `${value} ${unit}` });
  if (value === 1) return t(isOver ? '1 day ago' : 'in 1 day');
  return t(isOver ? '{count} days ago' : 'in {count} days', { count: value });
};

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** Calls the listeners of all times on the page each second, by one timer. */
export const everySecond = (listener: () => void) => {
  listeners.add(listener);
  timer ??= setInterval(() => {
    if (!document.hidden) for (const one of listeners) one();
  }, 1000);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
};

/** A time as `3 min ago`, and exactly, in UTC, when pointed at. @param at ISO 8601; empty: none. */
export const Time = ({ at }: { at: string | undefined }) =>
  at ? <Relative at={at} /> : <span className="faint">{t('never')}</span>;

const minuteMs = 60_000;

/**
 * A time that is stored to the minute: it lies in the minute that begins at `at`. So it is never shown
 * earlier than what was before it in the same minute.
 */
export const MinuteTime = ({ at }: { at: string | undefined }) =>
  at ? (
    <Relative at={at} title={exactTime(at).replace(':00 UTC', ' UTC')} words={relativeMinute} />
  ) : (
    <span className="faint">{t('never')}</span>
  );

const relativeMinute = (at: string): string => {
  const end = new Date(Date.parse(at) + minuteMs).toISOString();
  return Date.now() - Date.parse(end) < minuteMs ? t('just now') : relative(end);
};

/** A time in words, drawn again only when the words change. */
const Relative = ({ at, title = exactTime(at), words = relative }: RelativeTime) => (
  <time dateTime={at} title={title}>
    {useSyncExternalStore(everySecond, () => words(at))}
  </time>
);
interface RelativeTime {
  readonly at: string;
  readonly title?: string;
  readonly words?: (at: string) => string;
}

/** A time to the second, in UTC, and its age; rows of a phone have the time alone. */
export const Moment = ({ at }: { at: string }) => (
  <span className="moment">
    <ExactTime at={at} />{' '}
    <span className="faint">
      <Relative at={at} />
    </span>
  </span>
);

/** A time to the second, in UTC. */
export const ExactTime = ({ at }: { at: string }) => <time dateTime={at}>{exactTime(at)}</time>;
