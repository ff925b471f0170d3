import { duration as clockDuration } from '@pto/certificate/duration';

const day = 86_400;

/**
 * Returns a duration as every page writes it, and from 10 s to a day as the certificate does:
 * `118 ms`, `1.48 s`, `3 min 30 s`, `1 h 5 min 30 s`, and from a day on `2 d 3 h`.
 */
export const duration = (seconds: number): string => {
  if (seconds > 0 && seconds < 1) return `${Math.round(seconds * 1000)} ms`;
  if (seconds < 10) return `${Number(seconds.toFixed(2))} s`;
  const days = Math.floor(Math.round(seconds) / day);
  if (days === 0) return clockDuration(seconds);
  const hours = Math.floor(Math.round(seconds) / 3600) % 24;
  return `${days} d${hours > 0 ? ` ${hours} h` : ''}`;
};
