import { Rejection } from './rejection.ts';

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

/** Encodes bytes as lower-case hexadecimal, two digits per byte. */
export const toHex = (bytes: Uint8Array): string => {
  let text = '';
  for (const byte of bytes) text += digitPairs[byte];
  return text;
};

/** Whether a value is an entry's hash in the ledger's form: 64 lower-case hexadecimal digits. */
export const isHash = (value: unknown): value is string =>
  typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);

/** Decodes lower-case hexadecimal digits. Does not check the text: the caller must have done so. */
export const hashBytes = (hex: string): Uint8Array => {
  const bytes = new Uint8Array(hex.length / 2);
  for (let n = 0; n < bytes.length; n++)
    bytes[n] = digitAt(hex, 2 * n) * 16 + digitAt(hex, 2 * n + 1);
  return bytes;
};

/** Returns the value of a lower-case hexadecimal digit. */
const digitAt = (hex: string, at: number): number => {
  const code = hex.charCodeAt(at);
  return code < 0x40 ? code - 0x30 : code - 0x57;
};

const digitPairs = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** Concatenates arrays of bytes. */
export const concat = (...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> => {
  let length = 0;
  for (const part of parts) length += part.length;
  const whole = new Uint8Array(length);
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
};

/**
 * Whether two arrays contain the same bytes. Not in constant time, because the compared bytes are
 * public.
 */
export const sameBytes = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, n) => byte === b[n]);
