/**
 * Implements `#sha256` outside of Node: FIPS 180-4 in plain arithmetic. A browser's own SHA-256 is
 * asynchronous and would need a promise for each entry.
 */
import { toHex } from '../bytes.ts';

/** Returns the 32 bytes of SHA-256. */
export const sha256 = (bytes: Uint8Array): Uint8Array => {
  const message = padded(bytes);
  const state = Uint32Array.from(initial);
  for (let offset = 0; offset < message.byteLength; offset += blockBytes)
    compress(state, message, offset);
  const digest = new DataView(new ArrayBuffer(32));
  for (const [n, word] of state.entries()) digest.setUint32(4 * n, word);
  return new Uint8Array(digest.buffer);
};

/** Returns SHA-256 of a text's UTF-8 in 64 lower-case hexadecimal digits. */
export const sha256Hex = (text: string): string => toHex(sha256(new TextEncoder().encode(text)));

const blockBytes = 64;

/**
 * Returns the padded message: the bytes, a one bit, zeros up to eight bytes before a block's end,
 * and the number of the message's bits.
 */
const padded = (bytes: Uint8Array): DataView => {
  const message = new Uint8Array(Math.ceil((bytes.length + 9) / blockBytes) * blockBytes);
  message.set(bytes);
  message[bytes.length] = 0x80;
  const view = new DataView(message.buffer);
  view.setUint32(message.length - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(message.length - 4, (bytes.length << 3) >>> 0);
  return view;
};

const firstPrimes = (count: number): number[] => {
  const primes: number[] = [];
  for (let n = 2; primes.length < count; n++)
    if (primes.every((prime) => n % prime !== 0)) primes.push(n);
  return primes;
};

/** Returns the first 32 bits of a number's fraction. */
const fraction = (value: number): number => Math.floor((value - Math.floor(value)) * 2 ** 32);

/** The initial state (FIPS 180-4, section 5.3.3): from the square roots of the first 8 primes. */
const initial = firstPrimes(8).map((prime) => fraction(Math.sqrt(prime)));
/** The round constants (FIPS 180-4, section 4.2.2): from the cube roots of the first 64 primes. */
const constants = Int32Array.from(firstPrimes(64), (prime) => fraction(Math.cbrt(prime)));

const rotated = (x: number, by: number): number => (x >>> by) | (x << (32 - by));

const schedule = new Int32Array(64);

/** Adds the block of 64 bytes at `offset` to the state (section 6.2.2). */
const compress = (state: Uint32Array, message: DataView, offset: number): void => {
  const w = schedule;
  for (let t = 0; t < 16; t++) w[t] = message.getInt32(offset + 4 * t);
  for (let t = 16; t < 64; t++) {
    const [x, y] = [w[t - 15]!, w[t - 2]!];
    const small0 = rotated(x, 7) ^ rotated(x, 18) ^ (x >>> 3);
    const small1 = rotated(y, 17) ^ rotated(y, 19) ^ (y >>> 10);
    w[t] = small1 + w[t - 7]! + small0 + w[t - 16]!;
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as Eight;
  for (let t = 0; t < 64; t++) {
    const big1 = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25);
    const chosen = (e & f) ^ (~e & g);
    const t1 = (h + big1 + chosen + constants[t]! + w[t]!) | 0;
    const big0 = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22);
    const t2 = (big0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0];
  }
  for (const [n, value] of [a, b, c, d, e, f, g, h].entries()) state[n] = state[n]! + value;
};

type Eight = [number, number, number, number, number, number, number, number];
