import { rejected, type Schema } from './schema.ts';

interface StringOptions {
  /** Minimum length in Unicode code points, as for `max` (decision 2). */
  readonly min?: number;
  readonly max?: number;
  readonly pattern?: RegExp;
  /** Checks a text of valid length and pattern. Returns the reason of a rejection, or undefined. */
  readonly rule?: (text: string) => string | undefined;
  /** Further members of the JSON Schema, such as `format`. */
  readonly json?: Readonly<Record<string, unknown>>;
}

/**
 * Text without NUL, which PostgreSQL cannot store, and without lone surrogates, which UTF-8 cannot
 * encode (decision 2).
 */
export const string = (options: StringOptions = {}): Schema<string> => ({
  read: (input) => {
    const { min = 0, max = Number.POSITIVE_INFINITY, pattern, rule } = options;
    const { value } = input;
    if (typeof value !== 'string')
      return input.reject('string_type', 'Input should be a valid string');
    if (!atLeast(value, min))
      return input.reject('string_too_short', `String should have at least ${characters(min)}`, {
        min_length: min,
      });
    if (atLeast(value, max + 1))
      return input.reject('string_too_long', `String should have at most ${characters(max)}`, {
        max_length: max,
      });
    if (pattern && !pattern.test(value))
      return input.reject(
        'string_pattern_mismatch',
        `String should match pattern '${pattern.source}'`,
        { pattern: pattern.source },
      );
    const reason = unstorable(value) ?? rule?.(value);
    return reason === undefined ? value : input.rejectByRule(reason);
  },
  json: {
    type: 'string',
    ...(options.min !== undefined && { minLength: options.min }),
    ...(options.max !== undefined && { maxLength: options.max }),
    ...(options.pattern && { pattern: options.pattern.source }),
    ...options.json,
  },
});

/**
 * A file as text, for handlers its bytes in UTF-8. The text of a large body is its bytes already
 * (http/large-body.ts).
 * @param maxBytes more are rejected here, because the message to the service would be too large.
 */
export const fileText = (maxBytes: number): Schema<Uint8Array> => {
  const text = string({ min: 1 });
  return {
    read: (input) => {
      const value = input.value instanceof Uint8Array ? input.value : text.read(input);
      if (value === rejected) return value;
      const bytes = typeof value === 'string' ? Buffer.from(value) : value;
      if (bytes.length <= maxBytes) return bytes;
      return input.rejectByRule(`at most ${maxBytes} bytes; split the file`);
    },
    json: text.json,
  };
};

const characters = (n: number): string => `${n} character${n === 1 ? '' : 's'}`;

/** Returns whether the text has at least n code points, without counting more than necessary. */
const atLeast = (text: string, n: number): boolean => {
  if (text.length < n) return false;
  if (text.length >= 2 * n) return true;
  let count = 0;
  for (const _ of text) count++;
  return count >= n;
};

const unstorable = (text: string): string | undefined => {
  if (text.includes('\0')) return 'text must not contain a NUL character';
  return text.isWellFormed() ? undefined : 'text must not contain a lone surrogate';
};

/**
 * A schema that accepts exactly one of the given texts.
 * @param title the name of the choice in documents.
 */
export const choice = <const V extends string>(values: readonly V[], title?: string): Schema<V> => {
  const quoted = values.map((value) => `'${value}'`);
  const expected = `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}`;
  return {
    read: (input) =>
      values.find((value) => value === input.value) ??
      input.reject('enum', `Input should be ${expected}`, { expected }),
    json: { type: 'string', ...(title && { title }), enum: values },
  };
};

/**
 * A UUID: with hyphens, without, in braces or as a URN, in either case.
 * @returns the UUID in lower case with hyphens.
 */
export const uuid = (): Schema<string> => ({
  read: (input) => {
    const { value } = input;
    if (typeof value !== 'string')
      return input.reject('uuid_type', 'UUID input should be a string, bytes or UUID object');
    const [, a, b, c, d, e] = bare.exec(value) ?? hyphenated.exec(unwrapped(value)) ?? [];
    if (e !== undefined) return [a, b, c, d, e].join('-').toLowerCase();
    const error = 'expected 32 hexadecimal digits, in groups of 8-4-4-4-12 or in one';
    return input.reject('uuid_parsing', `Input should be a valid UUID, ${error}`, { error });
  },
  json: { type: 'string', format: 'uuid' },
});

const groups = (between: string): RegExp =>
  new RegExp(`^${[8, 4, 4, 4, 12].map((n) => `([0-9a-fA-F]{${n}})`).join(between)}$`);
const bare = groups('');
const hyphenated = groups('-');

/** Removes braces or `urn:uuid:` around the form with hyphens; no other form may have these. */
const unwrapped = (text: string): string => {
  if (text.startsWith('{') && text.endsWith('}')) return text.slice(1, -1);
  return text.startsWith('urn:uuid:') ? text.slice(9) : text;
};

/**
 * A date-time in every form that pydantic accepts in its lax mode (decisions 1 and 6). The value is
 * `YYYY-MM-DDTHH:mm:ss.ssssssZ`; such texts compare like their times. Without an offset it is UTC.
 */
export const dateTime = (): Schema<string> => ({
  read: (input) => {
    const { value } = input;
    if (typeof value !== 'number' && typeof value !== 'string')
      return input.reject('datetime_type', 'Input should be a valid datetime');
    const isUnix = typeof value === 'number' || isUnixText(value);
    const time = isUnix ? fromUnix(Number(value)) : fromText(value);
    if (typeof time !== 'string')
      // the range that every store and client supports
      return time.ms >= year1 && time.ms < year10000
        ? `${new Date(time.ms).toISOString().slice(0, -1)}${String(time.micros).padStart(3, '0')}Z`
        : input.rejectByRule('the year in UTC must be 1 to 9999');
    return typeof value === 'number' || time === isYear0
      ? input.reject('datetime_parsing', `Input should be a valid datetime, ${time}`, {
          error: time,
        })
      : input.reject(
          'datetime_from_date_parsing',
          `Input should be a valid datetime or date, ${time}`,
          { error: time },
        );
  },
  json: { type: 'string', format: 'date-time' },
});

/** Truncates the text of a date-time to milliseconds: `YYYY-MM-DDTHH:mm:ss.sssZ`. */
export const toMillis = (time: string): string => `${time.slice(0, 23)}Z`;

/** Milliseconds since 1970-01-01T00:00:00Z and microseconds after them, or why it is no time. */
type Time = { readonly ms: number; readonly micros: number } | string;

const [year0, year1] = [-62_167_219_200_000, -62_135_596_800_000];
const year10000 = 253_402_300_800_000;
const isYear0 = 'year 0 is out of range';

/** Returns whether a text is a number whose digits before the point fit into 64 bits. */
const isUnixText = (text: string): boolean => {
  const [matched, digits = ''] = /^[+-]?(?:(\d+)(?:\.\d*)?|\.\d+)$/.exec(text) ?? [];
  return matched !== undefined && (digits.length < 19 || BigInt(digits) < 2n ** 63n);
};

/** A Unix time beyond this absolute value is in milliseconds, any other Unix time in seconds. */
const watershed = 20_000_000_000;

const fromUnix = (value: number): Time => {
  if (!Number.isFinite(value)) return 'not a finite number';
  const msEach = Math.abs(value) > watershed ? 1 : 1000;
  const whole = Math.floor(value);
  const micros = Math.round((value - whole) * msEach * 1000);
  const ms = whole * msEach + Math.floor(micros / 1000);
  if (ms >= year10000) return 'dates after 9999 are not supported as unix timestamps';
  if (ms < year0) return 'dates before 0000 are not supported as unix timestamps';
  return ms < year1 ? isYear0 : { ms, micros: micros % 1000 };
};

const date = /^(\d{4})-(\d\d)-(\d\d)/;
const clock =
  /^[Tt _]([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:[.,](\d+))?)?(?:[Zz]|([+\-−])([01]\d|2[0-3]):?([0-5]\d))?$/;

/** Reads `YYYY-MM-DD`, alone or followed by a time. */
const fromText = (text: string): Time => {
  const [matched, year, month, day] = date.exec(text) ?? [];
  if (matched === undefined) return 'expected YYYY-MM-DDTHH:MM:SSZ';
  const midnight = new Date(0);
  midnight.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  if (midnight.getUTCMonth() !== Number(month) - 1 || midnight.getUTCDate() !== Number(day))
    return 'month or day is outside of its range';
  const rest = text.slice(matched.length);
  const [isTime, hour = 0, minute = 0, second = 0, fraction = '', sign, ...offset] =
    rest === '' ? [''] : (clock.exec(rest) ?? []);
  if (isTime === undefined) return 'unexpected characters after the date';
  if (year === '0000') return isYear0;
  const [offsetHours = 0, offsetMinutes = 0] = offset;
  const ahead = (Number(offsetHours) * 60 + Number(offsetMinutes)) * (sign === '+' ? 1 : -1);
  const seconds = (Number(hour) * 60 + Number(minute) - ahead) * 60 + Number(second);
  const digits = fraction.padEnd(6, '0');
  const ms = midnight.getTime() + seconds * 1000 + Number(digits.slice(0, 3));
  return { ms, micros: Number(digits.slice(3, 6)) };
};
