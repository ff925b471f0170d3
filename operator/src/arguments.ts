import { parseDurationMs, parseInstantMs } from '@pto/config';
import { InvalidArgumentError } from 'commander';

/** Thrown for flags that contradict each other. A single invalid flag is reported by Commander. */
export class WrongUsage extends Error {}

const usage = <T>(parse: () => T): T => {
  try {
    return parse();
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message);
  }
};

/** Ten years, the longest expiry of a key; the gateway has closer limits for each value. */
const durationMaxMs = 3660 * 86_400_000;

const duration = (text: string, maxMs = durationMaxMs, says = '3660d'): number => {
  if (/^0(ms|s|m|h|d)?$/.test(text)) return 0;
  const ms = usage(() => parseDurationMs(text));
  if (ms > maxMs) throw new InvalidArgumentError(`expected at most ${says}`);
  return ms;
};

/** Parses a duration such as `90s`, `24h` or `7d` and returns whole seconds, rounded up. */
export const seconds = (text: string): number => Math.ceil(duration(text) / 1000);

/** Parses a pause, at most 24 h, and returns milliseconds. */
export const pauseMs = (text: string): number => duration(text, 86_400_000, '24h');

/**
 * Parses a time, which is UTC without an offset (decision 6).
 * @returns the time in RFC 3339
 */
export const instant = (text: string): string =>
  new Date(usage(() => parseInstantMs(text))).toISOString();

/** Parses a time as `instant` does, or a duration before now such as `24h`. */
export const instantOrAgo = (text: string): string =>
  /^\d+(ms|s|m|h|d)/.test(text)
    ? new Date(Date.now() - duration(text)).toISOString()
    : instant(text);

export const count = (text: string): number => {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('expected a whole number');
  return Number(text);
};

export const degrees = (text: string): number => {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value))
    throw new InvalidArgumentError('expected degrees, such as 52.520008');
  return value;
};

/**
 * Parses one occurrence of a flag that may be given several times. Returns the values of the
 * earlier occurrences and then this value.
 */
export const collect = (text: string, before: readonly string[] | undefined): string[] => [
  ...(before ?? []),
  text,
];

/** Parses a comma-separated flag. */
export const commaList = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
