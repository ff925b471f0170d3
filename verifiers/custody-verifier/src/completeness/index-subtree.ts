/**
 * The order index: a binary trie over the orders' keys, most significant bit first. A subtree
 * without leaves has a constant hash. A subtree of one leaf has that leaf's hash, at any depth. The
 * hash of any other subtree is the hash of its two halves as a node. So the root depends only on
 * the set of leaves.
 */
import { emptyIndexHash, indexLeafHash, indexNodeHash } from './index-hash.ts';

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

export const isLeaf = (subtree: IndexSubtree): subtree is IndexLeaf =>
  subtree !== null && 'key' in subtree;

export const isNode = (subtree: IndexSubtree): subtree is IndexNode =>
  subtree !== null && 'hash' in subtree;

export const subtreeHash = (subtree: IndexSubtree): Uint8Array => {
  if (subtree === null) return emptyIndexHash;
  return isLeaf(subtree) ? indexLeafHash(subtree.key, subtree.value) : subtree.hash;
};

/** Returns the subtree with these two halves. */
export const joined = (left: IndexSubtree, right: IndexSubtree): IndexSubtree => {
  if (left === null && (right === null || isLeaf(right))) return right;
  if (right === null && isLeaf(left)) return left;
  return { hash: indexNodeHash(subtreeHash(left), subtreeHash(right)) };
};
