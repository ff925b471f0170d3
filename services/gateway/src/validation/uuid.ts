import type { Loc } from './fault.ts';
import type { Schema } from './schema.ts';

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
