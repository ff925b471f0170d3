import { type Input, type Rejected, rejected, type Schema } from './schema.ts';

const yes = new Set(['1', 'true', 't', 'yes', 'y', 'on']);
const no = new Set(['0', 'false', 'f', 'no', 'n', 'off']);
const int64 = 2 ** 63;

/**
 * A boolean, or a value that pydantic accepts for one: 0, 1, and words such as "yes" in any case.
 */
export const boolean = (): Schema<boolean> => ({
  read: (input) => {
    const { value } = input;
    if (typeof value === 'boolean') return value;
    if (value === 1 || value === 0) return value === 1;
    const word = typeof value === 'string' ? asciiLower(value) : '';
    if (yes.has(word)) return true;
    if (no.has(word)) return false;
    const isOther =
      typeof value === 'string' ||
      (Number.isInteger(value) && Number(value) >= -int64 && Number(value) < int64);
    return isOther
      ? input.reject('bool_parsing', 'Input should be a valid boolean, unable to interpret input')
      : input.reject('bool_type', 'Input should be a valid boolean');
  },
  json: { type: 'boolean' },
});

/** Lowers only ASCII letters: toLowerCase would turn the Kelvin sign into `k`. */
const asciiLower = (text: string): string =>
  text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

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

/** Unicode's White_Space, which pydantic trims. */
const space = '[\\t-\\r \\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]*';
const wholeNumber = new RegExp(`^${space}([+-]?)(\\d+(?:_\\d+)*)(?:\\.0+)?${space}$`);
/** Maximum number of digits in a text, leading zeros not counted, as in Python. */
const lengthMax = 4300;

/**
 * An integer as pydantic reads it: in JSON also `5.0`; as text, for example in a query: `5`, `+5`,
 * ` 5 `, `1_0` and `5.0`.
 */
export const integer = ({ ge, le }: { ge: number; le: number }): Schema<number> => ({
  read: (input) => {
    const value = integerOf(input);
    if (value === rejected) return rejected;
    if (value < ge)
      return input.reject('greater_than_equal', `Input should be greater than or equal to ${ge}`, {
        ge,
      });
    if (value > le)
      return input.reject('less_than_equal', `Input should be less than or equal to ${le}`, { le });
    return value;
  },
  json: { type: 'integer', minimum: ge, maximum: le },
});

const notAnInteger = 'Input should be a valid integer';

/** Reads a JSON value or a text as an integer. As in pydantic, true is 1. */
const integerOf = (input: Input): number | Rejected => {
  const { value } = input;
  if (typeof value === 'boolean' || Number.isInteger(value)) return Number(value);
  if (typeof value === 'number')
    return input.reject('int_from_float', `${notAnInteger}, got a number with a fractional part`);
  if (typeof value !== 'string') return input.reject('int_type', notAnInteger);
  const [written, sign = '', digits = ''] = wholeNumber.exec(value) ?? [];
  if (written === undefined)
    return input.reject('int_parsing', `${notAnInteger}, unable to parse string as an integer`);
  const significant = digits.replaceAll('_', '').replace(/^0+(?=\d)/, '');
  return significant.length > lengthMax
    ? input.reject(
        'int_parsing_size',
        'Unable to parse input string as an integer, exceeded maximum size',
      )
    : Number(sign + significant);
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
