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
  const input = new Uint8Array(valueTag.length + 8 + 32);
  input.set(valueTag);
  const view = new DataView(input.buffer);
  view.setUint32(valueTag.length, Math.floor(entries / 2 ** 32));
  view.setUint32(valueTag.length + 4, entries % 2 ** 32);
  input.set(hashBytes(head), valueTag.length + 8);
  return sha256(input);
};

/** Returns the hash of a leaf: SHA-256(tag ‖ key ‖ value hash). */
export const indexLeafHash = (key: Uint8Array, value: Uint8Array): Uint8Array =>
  pairHash(leafInput, key, value);

/** Returns the hash of a node: SHA-256(tag ‖ left ‖ right). */
export const indexNodeHash = (left: Uint8Array, right: Uint8Array): Uint8Array =>
  pairHash(nodeInput, left, right);

const utf8 = new TextEncoder();
const valueTag = utf8.encode('order-index/1 value\n');

/**
 * Creates a buffer with the tag and space for two hashes. Each hash reuses the buffer, which is
 * faster.
 */
const inputOf = (tag: string): Uint8Array => {
  const bytes = utf8.encode(tag);
  const input = new Uint8Array(bytes.length + 64);
  input.set(bytes);
  return input;
};
const leafInput = inputOf('order-index/1 leaf\n');
const nodeInput = inputOf('order-index/1 node\n');

const pairHash = (input: Uint8Array, first: Uint8Array, second: Uint8Array): Uint8Array => {
  input.set(first, input.length - 64);
  input.set(second, input.length - 32);
  return sha256(input);
};

/** The hash of a subtree without leaves. */
export const emptyIndexHash: Uint8Array = sha256(utf8.encode('order-index/1 empty\n'));
