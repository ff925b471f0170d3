/** Reads members of JSON values that may have any form: an open format grows. Pure. */
import { printable } from '@pto/custody-verifier/printable';

export type Members = Readonly<Record<string, unknown>>;

/** Maximum number of characters of a text that a certificate shows. */
const charactersMax = 2000;

/** Returns the value if it is a JSON object, else an object without members. */
export const membersOf = (value: unknown): Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : {};

/** Returns the value if it is an array, else an empty array. */
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Returns the value if it is a finite number, else null. */
export const numberOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null;

/** Maximum number of lines of a text that a certificate shows. */
const linesMax = 20;

/**
 * Returns a JSON value as text, at most 2,000 characters and 20 lines; empty for null and an absent
 * value. Other control characters than line breaks become visible escapes.
 */
export const textOf = (value: unknown): string => {
  if (value === undefined || value === null) return '';
  const text = typeof value === 'string' ? value : jsonOf(value);
  const cut = text.length > charactersMax ? `${text.slice(0, charactersMax)}…` : text;
  if (!/[\n\r]/.test(cut)) return printable(cut);
  const lines = cut.split(/\r\n|[\n\r]/).map(printable);
  const [shown, rest] = [lines.slice(0, linesMax - 1), lines.slice(linesMax - 1)];
  return [...shown, ...(rest.length > 0 ? [rest.join(' ')] : [])].join('\n');
};

/** Returns JSON text. Deep nesting overflows the stack of JSON.stringify; then a mark is shown. */
const jsonOf = (value: unknown): string => {
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    return '{…}';
  }
};
