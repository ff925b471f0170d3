import { parseDurationMs } from '@pto/config';
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

/** Parses a duration such as `90s`, `24h` or `7d` and returns whole seconds, rounded up. */
export const seconds = (text: string): number =>
  /^0(ms|s|m|h|d)?$/.test(text) ? 0 : Math.ceil(usage(() => parseDurationMs(text)) / 1000);

export const milliseconds = (text: string): number =>
  /^0(ms|s|m|h|d)?$/.test(text) ? 0 : usage(() => parseDurationMs(text));

/**
 * Parses a time of RFC 3339, or a duration before now such as `24h`.
 * @returns the time in RFC 3339
 */
export const instant = (text: string): string => {
  const at = /^\d{4}-\d\d-\d\dT/.test(text)
    ? Date.parse(text)
    : Date.now() - usage(() => parseDurationMs(text));
  if (Number.isNaN(at))
    throw new InvalidArgumentError('expected a time such as 2026-01-15T09:30:00Z');
  return new Date(at).toISOString();
};

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
