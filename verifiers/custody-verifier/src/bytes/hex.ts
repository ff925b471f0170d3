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
    bytes[n] = (digitAt(hex, 2 * n) << 4) | digitAt(hex, 2 * n + 1);
  return bytes;
};

const digitPairs = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/**
 * Returns the value of the hexadecimal digit at a position, 0 to 15. The character codes 0x30 to
 * 0x39 are 0 to 9, and 0x61 to 0x66 are a to f.
 */
const digitAt = (hex: string, at: number): number => {
  const code = hex.charCodeAt(at);
  return code < 0x40 ? code - 0x30 : code - 0x57;
};
