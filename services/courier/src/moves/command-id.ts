import { createHash } from 'node:crypto';

/**
 * Returns the id of a command, the same for all processes and calls that mean the same command.
 * Orders carries out the command once for its id.
 * @param names what identifies the command.
 * @returns a UUID of version 8 (RFC 9562): the beginning of a SHA-256.
 */
export const commandIdOf = (...names: readonly string[]): string => {
  const bytes = createHash('sha256').update(JSON.stringify(names)).digest().subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x80;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
};
