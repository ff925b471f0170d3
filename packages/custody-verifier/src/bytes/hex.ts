/** Lower-case hexadecimal, two digits a byte. */
export const toHex = (bytes: Uint8Array): string => {
  let text = '';
  for (const byte of bytes) text += byte.toString(16).padStart(2, '0');
  return text;
};

/** Whether a value is the hash of an entry as the ledger writes it: 64 lower-case digits. */
export const isHash = (value: unknown): value is string =>
  typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);

/** The bytes of lower-case hexadecimal digits, which are known to be that. */
export const hashBytes = (hex: string): Uint8Array =>
  Uint8Array.from({ length: hex.length / 2 }, (_, n) =>
    Number.parseInt(hex.slice(2 * n, 2 * n + 2), 16),
  );
