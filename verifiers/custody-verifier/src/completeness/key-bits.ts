/** Returns bit `n` of a key. Bit 0 is the most significant bit. */
export const bitOf = (key: Uint8Array, n: number): number => (key[n >> 3]! >> (7 - (n & 7))) & 1;

/** Returns four bits of a key: digit `n` of its hexadecimal text. */
export const digitOf = (key: Uint8Array, n: number): number =>
  n % 2 === 0 ? key[n >> 1]! >> 4 : key[n >> 1]! & 15;

/** Returns the number of leading bits that two keys have in common; 256 for equal keys. */
export const sharedBits = (a: Uint8Array, b: Uint8Array): number => {
  let byte = 0;
  while (byte < a.length && a[byte] === b[byte]) byte++;
  return byte === a.length ? 8 * byte : 8 * byte + Math.clz32(a[byte]! ^ b[byte]!) - 24;
};

/** Compares two keys, for sorting. */
export const compareKeys = (a: Uint8Array, b: Uint8Array): number => {
  let byte = 0;
  while (byte < a.length - 1 && a[byte] === b[byte]) byte++;
  return a[byte]! - b[byte]!;
};

/** Number of bits in a key: the maximum depth of the index. */
export const keyBits = 256;

/** Number of hexadecimal digits in a key. */
export const keyDigits = keyBits / 4;
