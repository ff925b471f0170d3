import { type Faults, type Loc, rejected, type Schema } from './schema.ts';

const yes = new Set(['1', 'true', 't', 'yes', 'y', 'on']);
const no = new Set(['0', 'false', 'f', 'no', 'n', 'off']);
const int64 = 2 ** 63;

/**
 * A boolean, or a value that pydantic accepts for one: 0, 1, and words such as "yes" in any case.
 */
export const boolean = (): Schema<boolean> => ({
  read: (input, loc, faults) => {
    if (typeof input === 'boolean') return input;
    if (input === 1 || input === 0) return input === 1;
    if (typeof input === 'string') {
      const word = asciiLower(input);
      if (yes.has(word)) return true;
      if (no.has(word)) return false;
    }
    const isOther =
      typeof input === 'string' ||
      (Number.isInteger(input) && Number(input) >= -int64 && Number(input) < int64);
    return isOther
      ? faults.add(
          'bool_parsing',
          loc,
          'Input should be a valid boolean, unable to interpret input',
          { input },
        )
      : faults.add('bool_type', loc, 'Input should be a valid boolean', { input });
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
    read: (input, loc, faults) =>
      values.find((value) => value === input) ??
      faults.add('enum', loc, `Input should be ${expected}`, { input, ctx: { expected } }),
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
export const integer = (range: { ge: number; le: number }): Schema<number> => ({
  read: (input, loc, faults) => {
    const value =
      typeof input === 'string' ? fromText(input, loc, faults) : given(input, loc, faults);
    if (value === rejected) return rejected;
    const { ge, le } = range;
    if (value < ge)
      return faults.add(
        'greater_than_equal',
        loc,
        `Input should be greater than or equal to ${ge}`,
        { input, ctx: { ge } },
      );
    if (value > le)
      return faults.add('less_than_equal', loc, `Input should be less than or equal to ${le}`, {
        input,
        ctx: { le },
      });
    return value;
  },
  json: { type: 'integer', minimum: range.ge, maximum: range.le },
});

/** Reads a JSON value as an integer. As in pydantic, true is 1. */
const given = (input: unknown, loc: Loc, faults: Faults): number | typeof rejected => {
  if (typeof input === 'boolean') return Number(input);
  if (typeof input !== 'number')
    return faults.add('int_type', loc, 'Input should be a valid integer', { input });
  if (Number.isInteger(input)) return input;
  return faults.add(
    'int_from_float',
    loc,
    'Input should be a valid integer, got a number with a fractional part',
    { input },
  );
};

const fromText = (input: string, loc: Loc, faults: Faults): number | typeof rejected => {
  const written = wholeNumber.exec(input);
  if (!written)
    return faults.add(
      'int_parsing',
      loc,
      'Input should be a valid integer, unable to parse string as an integer',
      { input },
    );
  const [, sign = '', digits = ''] = written;
  const significant = digits.replaceAll('_', '').replace(/^0+(?=\d)/, '');
  if (significant.length > lengthMax)
    return faults.add(
      'int_parsing_size',
      loc,
      'Unable to parse input string as an integer, exceeded maximum size',
      { input },
    );
  return Number(sign + significant);
};

/**
 * A UUID: with hyphens, without, in braces or as a URN, in either case.
 * @returns the UUID in lower case with hyphens.
 */
export const uuid = (): Schema<string> => ({
  read: (input, loc: Loc, faults) => {
    if (typeof input !== 'string')
      return faults.add('uuid_type', loc, 'UUID input should be a string, bytes or UUID object', {
        input,
      });
    const [, a, b, c, d, e] = bare.exec(input) ?? hyphenated.exec(unwrapped(input)) ?? [];
    if (e !== undefined) return [a, b, c, d, e].join('-').toLowerCase();
    const error = 'expected 32 hexadecimal digits, in groups of 8-4-4-4-12 or in one';
    return faults.add('uuid_parsing', loc, `Input should be a valid UUID, ${error}`, {
      input,
      ctx: { error },
    });
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
