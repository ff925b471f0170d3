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

/**
 * A finite number as pydantic reads it: in JSON also `true` and texts such as `"4.5"`.
 * @param decimals maximum number of decimals.
 */
export const decimal = (bounds: { ge: number; le: number; decimals: number }): Schema<number> => {
  const { ge, le, decimals } = bounds;
  return {
    read: (input) => {
      const value = decimalOf(input);
      if (value === rejected) return rejected;
      if (!Number.isFinite(value))
        return input.reject('finite_number', 'Input should be a finite number');
      if (value < ge)
        return input.reject(
          'greater_than_equal',
          `Input should be greater than or equal to ${ge}`,
          { ge },
        );
      if (value > le)
        return input.reject('less_than_equal', `Input should be less than or equal to ${le}`, {
          le,
        });
      if (Number(value.toFixed(decimals)) !== value)
        return input.rejectByRule(`must have at most ${decimals} decimals`);
      return value;
    },
    json: { type: 'number', minimum: ge, maximum: le },
  };
};

const notANumber = 'Input should be a valid number';
const decimalForm = new RegExp(`^${space}[+-]?(?:\\d+\\.?\\d*|\\.\\d+)(?:[eE][+-]?\\d+)?${space}$`);

/** Reads a JSON value or a text as a number. As in pydantic, true is 1. */
const decimalOf = (input: Input): number | Rejected => {
  const { value } = input;
  if (typeof value === 'number' || typeof value === 'boolean') return Number(value);
  if (typeof value !== 'string') return input.reject('float_type', notANumber);
  return decimalForm.test(value)
    ? Number(value)
    : input.reject('float_parsing', `${notANumber}, unable to parse string as a number`);
};

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
