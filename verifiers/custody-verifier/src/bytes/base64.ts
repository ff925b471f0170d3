import { Rejection } from '../rejection.ts';

/** Encodes bytes in standard base64 with padding (RFC 4648, section 4). */
export const toBase64 = (bytes: Uint8Array): string => {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
};

/**
 * Decodes base64, only in its canonical form: with padding, and with unused last bits of zero. A
 * second form of the same bytes would allow undetected changes of a file.
 * @param length expected number of bytes; any number if undefined.
 * @throws Rejection for any other text, for more than 4,096 characters, or for another number of
 *   bytes.
 */
export const fromBase64 = (text: unknown, length?: number): Uint8Array => {
  if (typeof text === 'string' && text.length > charactersMax)
    throw new Rejection(`longer than ${charactersMax} characters of base64`);
  if (typeof text !== 'string' || !/^[A-Za-z0-9+/]*={0,2}$/.test(text) || text.length % 4 !== 0)
    throw new Rejection('not base64 in its canonical form');
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  if (toBase64(bytes) !== text) throw new Rejection('not base64 in its canonical form');
  if (length !== undefined && bytes.length !== length)
    throw new Rejection(`${bytes.length} bytes where ${length} belong`);
  return bytes;
};

/** Maximum length of a base64 text, far more than a hash, key or signature needs. */
const charactersMax = 4096;
