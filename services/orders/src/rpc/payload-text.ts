import { Rejection, readJson } from '@pto/custody-verifier';
import { invalid } from '@pto/errors';
import type { JsonObject } from '../domain/order.ts';

const bytesMax = 16_384;
const depthMax = 16;

/**
 * Reads the operator's `--payload`: a JSON object whose every value the ledger can hold to the
 * letter, judged by what will verify it. Rejection are a name twice in one object, numbers that lose
 * digits, -0, lone surrogates, NUL, depth over 16, over 16 KiB.
 * @param text JSON, or empty for none.
 */
export const readPayload = (text: string): JsonObject | null => {
  if (text === '') return null;
  const rejection = (reason: string) => invalid(['payload'], reason);
  if (Buffer.byteLength(text) > bytesMax) throw rejection('at most 16 KiB');
  const value = read(text, rejection);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw rejection('expected a JSON object');
  if (depth(value) > depthMax) throw rejection(`at most ${depthMax} levels deep`);
  // Postgres keeps no NUL in a text
  if (JSON.stringify(value).includes('\\u0000')) throw rejection('NUL is no text');
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
