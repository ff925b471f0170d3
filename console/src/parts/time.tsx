import { useSyncExternalStore } from 'react';
import { visibleText } from './visible-text.ts';
import { shownLanguage, t } from './words.ts';

const steps = [
  [60, 'second', 1],
  [3600, 'minute', 60],
  [86_400, 'hour', 3600],
  [Number.POSITIVE_INFINITY, 'day', 86_400],
] as const;
const words = { numeric: 'auto', style: 'short' } as const;
let relativeWords: Intl.RelativeTimeFormat | undefined;

/**
 * Returns a time as every page writes it, to the second: `2026-01-15 09:30:00 UTC`. A text that is no
 * time, such as one of a tampered entry, stays as it is.
 */
export const exactTime = (at: string | Date): string => {
  const time = new Date(at);
  if (Number.isNaN(time.getTime())) return visibleText(`${at}`);
  return `${time.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
};

/** Returns a time relative to now, such as `3 min. ago`. */
const relative = (at: string): string => {
  const seconds = (Date.parse(at) - Date.now()) / 1000;
  if (Number.isNaN(seconds)) return visibleText(at);
  const [, unit, size] = steps.find(([below]) => Math.abs(seconds) < below)!;
  relativeWords ??= new Intl.RelativeTimeFormat(shownLanguage(), words);
  return relativeWords.format(Math.trunc(seconds / size), unit);
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

/** A time as `3 min. ago`, and exactly, in UTC, when pointed at. @param at ISO 8601; empty: none. */
export const Time = ({ at }: { at: string | undefined }) =>
  at ? <Relative at={at} /> : <span className="faint">{t('never')}</span>;

const minuteMs = 60_000;

/**
 * A time that is stored to the minute: it lies in the minute that begins at `at`. So it is never shown
 * earlier than what was before it in the same minute.
 */
export const MinuteTime = ({ at }: { at: string | undefined }) =>
  at ? <RelativeMinute at={at} /> : <span className="faint">{t('never')}</span>;

const RelativeMinute = ({ at }: { at: string }) => {
  const end = new Date(Date.parse(at) + minuteMs).toISOString();
  const text = useSyncExternalStore(everySecond, () =>
    Date.now() - Date.parse(end) < minuteMs ? t('just now') : relative(end),
  );
  return (
    <time dateTime={at} title={exactTime(at).replace(':00 UTC', ' UTC')}>
      {text}
    </time>
  );
};

const Relative = ({ at }: { at: string }) => {
  // drawn again only when the words change
  const text = useSyncExternalStore(everySecond, () => relative(at));
  return (
    <time dateTime={at} title={exactTime(at)}>
      {text}
    </time>
  );
};

/** A time to the second, in UTC. */
export const ExactTime = ({ at }: { at: string }) => <time dateTime={at}>{exactTime(at)}</time>;
