import { Failure } from '@pto/errors';
import type { Custody } from '@pto/proto/payloads';
import { readReadings } from '../../src/conditions/read-readings.ts';
import type { Reading, ReadingsMediaType } from '../../src/conditions/reading.ts';

export const csv = (text: string): readonly Reading[] => readText(text, 'text/csv');

export const ndjson = (text: string): readonly Reading[] => readText(text, 'application/x-ndjson');

const readText = (text: string, mediaType: ReadingsMediaType): readonly Reading[] =>
  readReadings(Buffer.from(text), mediaType);

/** Returns the time that many seconds after 2026-01-15T09:30:00Z. */
export const at = (seconds: number): string =>
  new Date(Date.UTC(2026, 0, 15, 9, 30) + seconds * 1000).toISOString();

/** Returns one reading a minute. */
export const readingsOf = (...values: readonly number[]): readonly Reading[] =>
  values.map((value, n) => ({ at: at(60 * n), value }));

/** Returns the entry of the response's `detail`. */
export const rejectionOf = (call: () => unknown): unknown => {
  try {
    call();
  } catch (error) {
    if (error instanceof Failure) return (error.details!.detail as unknown[])[0];
    throw error;
  }
  throw new Error('the call was accepted');
};

/** A custody that all readings of these tests are within. */
export const underWay: Custody = { from: '2020-01-01T00:00:00.000Z', to: null };
