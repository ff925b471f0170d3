/** Lower-case hexadecimal, two digits a byte. */
export const toHex = (bytes: Uint8Array): string => {
  let text = '';
  for (const byte of bytes) text += digitPairs[byte];
  return text;
};

/** Whether a value is the hash of an entry as the ledger writes it: 64 lower-case digits. */
export const isHash = (value: unknown): value is string =>
  typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);

/** The bytes of lower-case hexadecimal digits, which are known to be that. */
export const hashBytes = (hex: string): Uint8Array => {
  const bytes = new Uint8Array(hex.length / 2);
  for (let n = 0; n < bytes.length; n++)
    bytes[n] = (digitAt(hex, 2 * n) << 4) | digitAt(hex, 2 * n + 1);
  return bytes;
};

const digitPairs = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** Digits are 0x30 to 0x39, letters 0x61 to 0x66. */
const digitAt = (hex: string, at: number): number => {
  const code = hex.charCodeAt(at);
  return code < 0x40 ? code - 0x30 : code - 0x57;
};
