import { Rejection, readJson } from '@pto/custody-verifier';
import { invalid } from '@pto/errors';
import type { JsonObject } from '../domain/order.ts';

const bytesMax = 16_384;
const depthMax = 16;

/**
 * Reads the operator's `--payload`: a JSON object that the ledger can store without a change. It is
 * parsed by the parser of the proof verifier.
 * @param text JSON; empty: null is returned.
 * @throws Failure VALIDATION for a text that is not a JSON object, a name twice in one object, a
 *   number that loses digits, -0, a lone surrogate, NUL, more than 16 levels or 16 KiB
 */
export const readPayload = (text: string): JsonObject | null => {
  if (text === '') return null;
  const rejection = (reason: string) => invalid(['payload'], reason);
  if (Buffer.byteLength(text) > bytesMax) throw rejection('at most 16 KiB');
  const value = read(text, rejection);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw rejection('expected a JSON object');
  if (depth(value) > depthMax) throw rejection(`at most ${depthMax} levels deep`);
  // PostgreSQL cannot store NUL in text
  if (JSON.stringify(value).includes('\\u0000'))
    throw rejection('must not contain a NUL character');
  return value as JsonObject;
};

const read = (text: string, rejection: (reason: string) => Error): unknown => {
  try {
    return readJson(text);
  } catch (error) {
    if (error instanceof Rejection) throw rejection(error.message);
    throw error;
  }
};

const depth = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? 1 + Math.max(0, ...Object.values(value).map(depth))
    : 0;
