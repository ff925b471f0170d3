import type { Schema } from './schema.ts';

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
  read: (input, loc, faults) => {
    const { min = 0, max = Number.POSITIVE_INFINITY, pattern } = options;
    if (typeof input !== 'string')
      return faults.add('string_type', loc, 'Input should be a valid string', { input });
    if (!atLeast(input, min))
      return faults.add('string_too_short', loc, `String should have at least ${characters(min)}`, {
        input,
        ctx: { min_length: min },
      });
    if (atLeast(input, max + 1))
      return faults.add('string_too_long', loc, `String should have at most ${characters(max)}`, {
        input,
        ctx: { max_length: max },
      });
    if (pattern && !pattern.test(input))
      return faults.add(
        'string_pattern_mismatch',
        loc,
        `String should match pattern '${pattern.source}'`,
        { input, ctx: { pattern: pattern.source } },
      );
    const reason = unstorable(input) ?? options.rule?.(input);
    return reason === undefined ? input : faults.addRule(loc, reason, input);
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
