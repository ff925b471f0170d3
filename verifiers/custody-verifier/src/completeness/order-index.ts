/**
 * The order index (decision 52): a binary trie over the orders' keys, most significant bit first. A
 * subtree without leaves has a constant hash. A subtree of one leaf has that leaf's hash, at any
 * depth. The hash of any other subtree is the hash of its two halves as a node. So the root depends
 * only on the set of leaves.
 *
 * Each input of a hash begins with a domain tag. The tags begin with a letter, so that no input
 * equals one of the log (RFC 6962: 0x00 or 0x01), and no tag is the prefix of another.
 */
import { sha256 } from '#sha256';
import { concat, hashBytes, isHash } from '../bytes.ts';
import { Rejection } from '../rejection.ts';

/** The index's leaf of one order. */
export interface IndexLeaf {
  /** 32 bytes, from `orderKey`. */
  readonly key: Uint8Array;
  /** 32 bytes, from `valueHash`. */
  readonly value: Uint8Array;
}

/** A subtree of at least two leaves, represented by its hash. */
export interface IndexNode {
  readonly hash: Uint8Array;
}

/** A subtree; null if it has no leaf. */
export type IndexSubtree = IndexLeaf | IndexNode | null;

const utf8 = new TextEncoder();
const valueTag = utf8.encode('order-index/1 value\n');
// each hash of a pair reuses its input: a new array for each takes as long as the hash
const pairInput = (tag: string) => concat(utf8.encode(tag), new Uint8Array(64));
const leafInput = pairInput('order-index/1 leaf\n');
const nodeInput = pairInput('order-index/1 node\n');

const pairHash = (input: Uint8Array, first: Uint8Array, second: Uint8Array): Uint8Array => {
  input.set(first, input.length - 64);
  input.set(second, input.length - 32);
  return sha256(input);
};

/** The hash of a subtree without leaves. */
export const emptyIndexHash: Uint8Array = sha256(utf8.encode('order-index/1 empty\n'));

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
  const count = entries.toString(16).padStart(16, '0');
  return sha256(concat(valueTag, hashBytes(count + head)));
};

/** Returns the hash of a leaf: SHA-256(tag ‖ key ‖ value hash). */
export const indexLeafHash = ({ key, value }: IndexLeaf): Uint8Array =>
  pairHash(leafInput, key, value);

/** Returns the hash of a node: SHA-256(tag ‖ left ‖ right). */
export const indexNodeHash = (left: Uint8Array, right: Uint8Array): Uint8Array =>
  pairHash(nodeInput, left, right);

export const isLeaf = (subtree: IndexSubtree): subtree is IndexLeaf =>
  subtree !== null && 'key' in subtree;

export const isNode = (subtree: IndexSubtree): subtree is IndexNode =>
  subtree !== null && 'hash' in subtree;

export const subtreeHash = (subtree: IndexSubtree): Uint8Array => {
  if (subtree === null) return emptyIndexHash;
  return isLeaf(subtree) ? indexLeafHash(subtree) : subtree.hash;
};

/** Returns the subtree with these two halves. */
const joined = (left: IndexSubtree, right: IndexSubtree): IndexSubtree => {
  if (left === null && !isNode(right)) return right;
  if (right === null && isLeaf(left)) return left;
  return { hash: indexNodeHash(subtreeHash(left), subtreeHash(right)) };
};

/** Returns the subtree over four neighbors of one level, from the index `from` on. */
export const overFour = (level: readonly IndexSubtree[], from: number): IndexSubtree =>
  joined(joined(level[from]!, level[from + 1]!), joined(level[from + 2]!, level[from + 3]!));

/** Returns the subtrees one level up, each over two neighbors of the given level. */
export const halved = (level: readonly IndexSubtree[]): IndexSubtree[] =>
  Array.from({ length: level.length / 2 }, (_, n) => joined(level[2 * n]!, level[2 * n + 1]!));

/**
 * Returns the subtree that these leaves form.
 * @param leaves leaves whose keys differ, and agree in their first `depth` bits.
 */
export const subtreeOfLeaves = (leaves: readonly IndexLeaf[], depth: number): IndexSubtree => {
  if (leaves.length < 2) return leaves[0] ?? null;
  const half = (bit: number) => leaves.filter(({ key }) => bitOf(key, depth) === bit);
  return joined(subtreeOfLeaves(half(0), depth + 1), subtreeOfLeaves(half(1), depth + 1));
};

/** Number of bits in a key: the maximum depth of the index. */
export const keyBits = 256;

/** Returns bit `n` of a key. Bit 0 is the most significant bit. */
export const bitOf = (key: Uint8Array, n: number): number => (key[n >> 3]! >> (7 - (n & 7))) & 1;

/** Returns four bits of a key: digit `n` of its hexadecimal text. */
export const digitOf = (key: Uint8Array, n: number): number =>
  n % 2 === 0 ? key[n >> 1]! >> 4 : key[n >> 1]! & 15;

/** A leaf of the log, with the values that the index needs. */
export interface LoggedEntry {
  /** The order's key in 64 lower-case hexadecimal digits. */
  readonly key: string;
  /** The entry's number in its order's chain, from 1. */
  readonly sequence: number;
  /** The `event_hash` of the entry. */
  readonly head: string;
}

/**
 * Computes the index's root from the log's leaves alone.
 * @param entries streams the leaves that the checkpoint covers, in order; called once per
 *   traversal.
 * @param digits the log is traversed 16^digits times. Each traversal collects only the orders whose
 *   keys begin with the same `digits` hexadecimal digits, so it needs memory for one part in
 *   16^digits of the orders.
 * @throws Rejection if a key or a head is not a hash, or if an order's entries are not numbered
 *   1, 2, 3 … in the log.
 */
export const rebuildIndexRoot = async (
  entries: () => AsyncIterable<LoggedEntry> | Iterable<LoggedEntry>,
  digits = 0,
): Promise<Uint8Array> => {
  let parts: IndexSubtree[] = [];
  for (let part = 0; part < 16 ** digits; part++) {
    const prefix = digits === 0 ? '' : part.toString(16).padStart(digits, '0');
    const last = new Map<string, LoggedEntry>();
    for await (const entry of entries())
      if (entry.key.startsWith(prefix)) {
        checkNext(entry, last.get(entry.key));
        last.set(entry.key, entry);
      }
    const leaves = Array.from(last.values(), ({ key, sequence, head }) => ({
      key: hashBytes(key),
      value: valueHash(sequence, head),
    }));
    parts.push(subtreeOfLeaves(leaves, 4 * digits));
  }
  while (parts.length > 1) parts = halved(parts);
  return subtreeHash(parts[0]!);
};

const checkNext = ({ key, sequence, head }: LoggedEntry, before: LoggedEntry | undefined): void => {
  if (!isHash(key) || !isHash(head)) throw new Rejection('a key or a head is no hash');
  const next = (before?.sequence ?? 0) + 1;
  if (sequence !== next)
    throw new Rejection(`the log holds entry ${sequence} of order ${key} where ${next} is next`);
};
