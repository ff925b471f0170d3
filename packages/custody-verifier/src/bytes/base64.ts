import { Rejection } from '../rejection.ts';

/** Standard base64 with padding (RFC 4648, section 4). */
export const toBase64 = (bytes: Uint8Array): string => {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
};

/**
 * Reads base64 in its one canonical spelling. Two spellings of the same bytes would let a file be
 * changed without a trace: so padding must be there, and the unused last bits must be zero.
 * @param length of the bytes that are meant; any, if it is not given.
 * @throws Rejection
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

/** Far more than any hash, key or signature has. */
const charactersMax = 4096;
