import { duration as clockDuration } from '@pto/certificate/duration';
import { t } from './words.ts';

const day = 86_400;
const units = [
  [day, 'day'],
  [3600, 'h'],
  [60, 'min'],
  [1, 's'],
] as const;

/** Returns a time in its largest unit, such as `[3, 'min']`: as an age is written. */
export const largestUnit = (seconds: number) => {
  const [size, unit] = units.find(([size]) => seconds >= size) ?? units.at(-1)!;
  return [Math.trunc(seconds / size), unit] as const;
};

/**
 * Returns a duration as every page writes it, and from 10 s to a day as the certificate does:
 * `118 ms`, `1.48 s`, `3 min 30 s`, `1 h 5 min 30 s`, and from a day on `2 days 3 h`.
 */
export const duration = (seconds: number): string => {
  if (seconds > 0 && seconds < 1) return `${Math.round(seconds * 1000)} ms`;
  if (seconds < 10) return `${Number(seconds.toFixed(2))} s`;
  const count = Math.floor(Math.round(seconds) / day);
  if (count === 0) return clockDuration(seconds);
  const hours = Math.floor(Math.round(seconds) / 3600) % 24;
  const days = count === 1 ? t('1 day') : t('{count} days', { count });
  return hours > 0 ? `${days} ${hours} h` : days;
};
