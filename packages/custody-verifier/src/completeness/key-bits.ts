/** Bit `n` of a key, counted from its most significant one. */
export const bitOf = (key: Uint8Array, n: number): number => (key[n >> 3]! >> (7 - (n & 7))) & 1;

/** Four bits of a key: digit `n` of its hexadecimal text. */
export const digitOf = (key: Uint8Array, n: number): number =>
  n % 2 === 0 ? key[n >> 1]! >> 4 : key[n >> 1]! & 15;

/** How many bits two keys have in common before the first that differs; 256 for equal keys. */
export const sharedBits = (a: Uint8Array, b: Uint8Array): number => {
  let byte = 0;
  while (byte < a.length && a[byte] === b[byte]) byte++;
  return byte === a.length ? 8 * byte : 8 * byte + Math.clz32(a[byte]! ^ b[byte]!) - 24;
};

/** Bits of a key, and so the greatest depth of the index. */
export const keyBits = 256;

/** Hexadecimal digits of a key. */
export const keyDigits = keyBits / 4;
