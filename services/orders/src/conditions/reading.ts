import { parseInstantMs } from '@pto/config';
import { type Failure, invalid } from '@pto/errors';

/** One value of a temperature logger. */
export interface Reading {
  /** `YYYY-MM-DDTHH:mm:ss.sssZ`. */
  readonly at: string;
  /** In the unit of the logger. */
  readonly value: number;
}

/** A reading as a file states it. */
export interface Row {
  /** Number of the line in the file, from 1. */
  readonly line: number;
  readonly time: string;
  /** A text if the file does not state a decimal number. */
  readonly value: number | string;
}

/** The media types of files with readings. */
export type ReadingsMediaType = 'text/csv' | 'application/x-ndjson';

/** Maximum number of readings in a file. */
export const readingsMax = 100_000;

/** Maximum number of bytes of one line of a file. */
export const lineMax = 16_384;

const inputMax = 40;
/** From absolute zero in degrees Fahrenheit; `summarize` knows the unit. */
const [valueMin, valueMax] = [-459.67, 1000];
const timeForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/;

/** Returns a VALIDATION failure that names the line and repeats at most 40 characters of it. */
export const lineFailure = (line: number, reason: string, input: string): Failure => {
  return invalid(['readings'], `line ${line}: ${reason}`, startOf(input));
};

/** Returns a VALIDATION failure whose message ends with at most 40 characters of the input. */
export const startFailure = (reason: string, input: string): Failure => {
  const start = startOf(input);
  return invalid(['readings'], `${reason} ${JSON.stringify(start)}`, start);
};

const startOf = (input: string): string =>
  Array.from(input.slice(0, 2 * inputMax))
    .slice(0, inputMax)
    .join('')
    .toWellFormed();

/** Time by which a logger's clock may be ahead of ours. */
const aheadMaxMs = 300_000;

/**
 * Requires that the last reading is not later than five minutes after now. A logger's local time
 * with the offset of UTC is the usual fault.
 * @param to time of the last reading. @param now milliseconds since the epoch.
 * @throws Failure VALIDATION
 */
export const requirePast = (to: string, now: number): void => {
  if (Date.parse(to) > now + aheadMaxMs)
    throw invalid(
      ['readings'],
      `the last reading, ${to}, is in the future; check the logger's clock and the offset`,
    );
};

/**
 * Requires that the last reading is not before the order (decision 78).
 * @param to time of the last reading. @param createdAt of the order, of the same form.
 * @throws Failure VALIDATION
 */
export const requireOrder = (to: string, createdAt: string): void => {
  if (to < createdAt)
    throw invalid(
      ['readings'],
      `the last reading, ${to}, is before the order was created, ${createdAt}; check the logger's clock`,
      to,
    );
};

/**
 * Returns the reading of a row, with its time in UTC, cut to milliseconds.
 * @throws Failure VALIDATION for a time that is not RFC 3339, and for a value that is no number or
 *   not between -459.67 and 1000
 */
export const toReading = ({ line, time, value }: Row): Reading => {
  if (!timeForm.test(time))
    throw lineFailure(
      line,
      'expected a time with an offset, such as 2026-01-15T09:30:00.000Z',
      time,
    );
  if (typeof value === 'string')
    throw lineFailure(line, 'expected a decimal number such as -80 or 4.5', value);
  if (!(value >= valueMin && value <= valueMax))
    throw lineFailure(line, `expected a value from ${valueMin} to ${valueMax}`, String(value));
  // JSON has no negative zero
  return { at: toUtc(line, time.replace(/(\.\d{3})\d+/, '$1')), value: value + 0 };
};

const toUtc = (line: number, time: string): string => {
  const utc = fromUtc(time);
  if (utc !== undefined) return utc;
  try {
    return new Date(parseInstantMs(time)).toISOString();
  } catch (error) {
    throw lineFailure(line, (error as Error).message, time);
  }
};

/**
 * Returns a time that is in UTC already with 3 decimals, without the cost of `parseInstantMs`.
 * Returns undefined for every time that `parseInstantMs` must convert or reject.
 */
const fromUtc = (time: string): string | undefined => {
  const ms = time.endsWith('Z') && time >= '0001' ? Date.parse(time) : Number.NaN;
  if (Number.isNaN(ms)) return undefined;
  const utc = new Date(ms).toISOString();
  // Date.parse takes 31 November for 1 December
  return utc.startsWith(time.slice(0, 19)) ? utc : undefined;
};
