import { createHash } from 'node:crypto';
import type { Reading } from './reading.ts';
import type { TemperatureUnit } from './units.ts';

/**
 * Returns the SHA-256 of readings whatever the form of their file (decision 79), as hexadecimal
 * digits. It is computed over UTF-8 lines that each end with a line feed: `time,UNIT`, then
 * `TIME,VALUE` for each reading, with the time in UTC with 3 decimals and the value as RFC 8785 writes
 * numbers.
 */
export const normalizedSha256 = (readings: readonly Reading[], unit: TemperatureUnit): string => {
  const hash = createHash('sha256').update(`time,${unit}\n`);
  for (const { at, value } of readings) hash.update(`${at},${value}\n`);
  return hash.digest('hex');
};
