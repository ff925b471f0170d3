import { type Faults, type Loc, rejected } from './fault.ts';
import type { Schema } from './schema.ts';

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
