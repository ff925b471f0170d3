import type { Schema } from './schema.ts';

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
