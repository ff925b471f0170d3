/**
 * Hash functions of the order index (decision 52). Each input begins with a domain tag. The tags
 * begin with a letter, so that no input equals one of the log (RFC 6962: 0x00 or 0x01), and no tag
 * is the prefix of another.
 */
import { sha256 } from '#sha256';
import { hashBytes } from '../bytes/hex.ts';

/** Returns an order's key in the index: SHA-256 of its id, the UUID's lower-case text. 32 bytes. */
export const orderKey = (orderId: string): Uint8Array => sha256(utf8.encode(orderId));

/**
 * Returns the hash of an order's entry count and head: SHA-256(tag ‖ entries ‖ head). It is
 * separate from the leaf hash, so that a proof about one order can show a leaf of another without
 * that order's count and head.
 * @param entries number of the order's entries, 8 bytes big-endian in the input.
 * @param head `event_hash` of the last entry, 64 lower-case hexadecimal digits.
 */
export const valueHash = (entries: number, head: string): Uint8Array => {
  const countAt = valueTag.length;
  for (let [n, rest] = [7, entries]; n >= 0; n--, rest = Math.floor(rest / 256))
    valueInput[countAt + n] = rest;
  valueInput.set(hashBytes(head), countAt + 8);
  return sha256(valueInput);
};

/** Returns the hash of a leaf: SHA-256(tag ‖ key ‖ value hash). */
export const indexLeafHash = (key: Uint8Array, value: Uint8Array): Uint8Array =>
  pairHash(leafInput, key, value);

/** Returns the hash of a node: SHA-256(tag ‖ left ‖ right). */
export const indexNodeHash = (left: Uint8Array, right: Uint8Array): Uint8Array =>
  pairHash(nodeInput, left, right);

const utf8 = new TextEncoder();
// Each hash reuses the buffer of its input. A view of a small array's `buffer` would cost more than
// the hash: V8 allocates that buffer at the first access.
const valueTag = utf8.encode('order-index/1 value\n');
const valueInput = new Uint8Array(valueTag.length + 8 + 32);
valueInput.set(valueTag);

/** The input of a hash of two hashes, which each hash reuses. */
export interface PairInput {
  /** The tag and the two hashes. */
  readonly message: Uint8Array;
  /** The two hashes, 8 words each in the machine's byte order. */
  readonly words: Int32Array;
}

const pairInput = (tag: string): PairInput => {
  const bytes = utf8.encode(tag);
  const wordsAt = Math.ceil(bytes.length / 4) * 4;
  const whole = new Uint8Array(wordsAt + 64);
  const message = whole.subarray(wordsAt - bytes.length);
  message.set(bytes);
  return { message, words: new Int32Array(whole.buffer, wordsAt) };
};
export const leafInput: PairInput = pairInput('order-index/1 leaf\n');
export const nodeInput: PairInput = pairInput('order-index/1 node\n');

const pairHash = ({ message }: PairInput, first: Uint8Array, second: Uint8Array): Uint8Array => {
  message.set(first, message.length - 64);
  message.set(second, message.length - 32);
  return sha256(message);
};

/** The hash of a subtree without leaves. */
export const emptyIndexHash: Uint8Array = sha256(utf8.encode('order-index/1 empty\n'));
