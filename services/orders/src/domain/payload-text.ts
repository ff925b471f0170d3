import { invalid } from '@pto/errors';
import type { JsonObject } from './order.ts';

const bytesMax = 16_384;
const depthMax = 16;

/**
 * Reads the operator's `--payload`: a JSON object whose every value the ledger can hold to the
 * letter. Refused are numbers that lose digits, lone surrogates, NUL, depth over 16, over 16 KiB.
 * @param text JSON, or empty for none.
 */
export const readPayload = (text: string): JsonObject | null => {
  if (text === '') return null;
  const refuse = (reason: string) => invalid(['payload'], reason);
  if (Buffer.byteLength(text) > bytesMax) throw refuse('at most 16 KiB');
  let value: unknown;
  try {
    value = JSON.parse(text, keepsExactly);
  } catch (error) {
    throw refuse(error instanceof RangeError ? error.message : 'not valid JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw refuse('expected a JSON object');
  if (depth(value) > depthMax) throw refuse(`at most ${depthMax} levels deep`);
  return value as JsonObject;
};

const keepsExactly = (name: string, value: unknown, context?: { source?: string }): unknown => {
  for (const part of [name, value])
    if (typeof part === 'string' && (!part.isWellFormed() || part.includes('\0')))
      throw new RangeError('text with NUL or a lone surrogate');
  if (typeof value === 'number' && decimal(context?.source ?? '') !== decimal(String(value)))
    throw new RangeError(`${context?.source} cannot be kept exactly; write it as a string`);
  return value;
};

/** A decimal number's digits and exponent, one text for every spelling of the same number. */
const decimal = (text: string): string => {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return '0';
  return `${sign}${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`;
};

const depth = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? 1 + Math.max(0, ...Object.values(value).map(depth))
    : 0;
