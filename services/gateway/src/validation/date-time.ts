import type { Schema } from './schema.ts';

/** A point in time with microsecond precision. */
export class Instant {
  readonly micros: bigint;

  constructor(micros: bigint) {
    this.micros = micros;
  }

  /** The time as `YYYY-MM-DDTHH:mm:ss.sssZ`, with microseconds truncated. */
  get millisText(): string {
    return new Date(this.#millis).toISOString();
  }

  /** The time as `YYYY-MM-DDTHH:mm:ss.ssssssZ`. */
  get microsText(): string {
    const rest = this.micros - BigInt(this.#millis) * 1000n;
    return this.millisText.replace('Z', `${String(rest).padStart(3, '0')}Z`);
  }

  get #millis(): number {
    return Number((this.micros - (((this.micros % 1000n) + 1000n) % 1000n)) / 1000n);
  }
}

/** A date-time in every form that pydantic accepts. Without an offset it is UTC (decision 6). */
export const dateTime = (): Schema<Instant> => ({
  read: (input) => {
    const reading = readInstant(input.value);
    if ('micros' in reading)
      return isStorable(reading.micros)
        ? new Instant(reading.micros)
        : input.rejectByRule('the year in UTC must be 1 to 9999');
    const { fault, reason } = reading;
    if (fault === 'type') return input.reject('datetime_type', 'Input should be a valid datetime');
    return fault === 'text'
      ? input.reject(
          'datetime_from_date_parsing',
          `Input should be a valid datetime or date, ${reason}`,
          { error: reason },
        )
      : input.reject('datetime_parsing', `Input should be a valid datetime, ${reason}`, {
          error: reason,
        });
  },
  json: { type: 'string', format: 'date-time' },
});

/** Microseconds since 1970-01-01T00:00:00Z, or the reason why the input is not a time. */
type InstantReading =
  | { readonly micros: bigint }
  | { readonly fault: 'type' | 'number' | 'text' | 'year'; readonly reason: string };

/** Reads a point in time as pydantic does in its lax mode (decisions 1 and 6). */
const readInstant = (input: unknown): InstantReading => {
  if (typeof input === 'number') return fromUnix(input, 'number');
  if (typeof input !== 'string') return { fault: 'type', reason: 'neither text nor a number' };
  const unix = unixText.exec(input);
  return unix && fitsInt64(unix[1] ?? '') ? fromUnix(Number(input), 'text') : fromText(input);
};

const unixText = /^[+-]?(?:(\d+)(?:\.\d*)?|\.\d+)$/;
const fitsInt64 = (digits: string): boolean => digits.length < 19 || BigInt(digits) < 2n ** 63n;

/** A Unix time beyond this absolute value is in milliseconds, any other Unix time in seconds. */
const watershed = 20_000_000_000;
const year10000 = 253_402_300_800n * 1_000_000n;
const year1 = -62_135_596_800n * 1_000_000n;
const year0 = -62_167_219_200n * 1_000_000n;

const fromUnix = (value: number, fault: 'number' | 'text'): InstantReading => {
  if (!Number.isFinite(value)) return { fault, reason: 'not a finite number' };
  const microsEach = Math.abs(value) > watershed ? 1000 : 1_000_000;
  const whole = Math.floor(value);
  const micros =
    BigInt(whole) * BigInt(microsEach) + BigInt(Math.round((value - whole) * microsEach));
  if (micros >= year10000)
    return { fault, reason: 'dates after 9999 are not supported as unix timestamps' };
  if (micros < year0)
    return { fault, reason: 'dates before 0000 are not supported as unix timestamps' };
  return inYears(micros);
};

const inYears = (micros: bigint): InstantReading =>
  micros < year1 ? { fault: 'year', reason: 'year 0 is out of range' } : { micros };

const date = /^(\d{4})-(\d\d)-(\d\d)/;
const time =
  /^[Tt _]([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:[.,](\d+))?)?(?:[Zz]|([+\-−])([01]\d|2[0-3]):?([0-5]\d))?$/;

/** Reads `YYYY-MM-DD`, alone or followed by a time. Without an offset it is UTC (decision 6). */
const fromText = (text: string): InstantReading => {
  const no = (reason: string): InstantReading => ({ fault: 'text', reason });
  const [matched, year, month, day] = date.exec(text) ?? [];
  if (matched === undefined) return no('expected YYYY-MM-DDTHH:MM:SSZ');
  const midnight = new Date(0);
  midnight.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  if (midnight.getUTCMonth() !== Number(month) - 1 || midnight.getUTCDate() !== Number(day))
    return no('month or day is outside of its range');
  const rest = text.slice(matched.length);
  const [isTime, hour, minute, second, fraction, sign, offsetHours, offsetMinutes] =
    rest === '' ? [''] : (time.exec(rest) ?? []);
  if (isTime === undefined) return no('unexpected characters after the date');
  if (year === '0000') return { fault: 'year', reason: 'year 0 is out of range' };
  const n = (part: string | undefined): bigint => BigInt(part ?? 0);
  const offset = (n(offsetHours) * 60n + n(offsetMinutes)) * (sign === '+' ? 1n : -1n);
  const seconds = n(hour) * 3600n + (n(minute) - offset) * 60n + n(second);
  const micros =
    BigInt(midnight.getTime()) * 1000n +
    seconds * 1_000_000n +
    n((fraction ?? '').slice(0, 6).padEnd(6, '0'));
  return { micros };
};

/** Returns whether the year in UTC is 1 to 9999, the range that every store and client supports. */
const isStorable = (micros: bigint): boolean => micros >= year1 && micros < year10000;
