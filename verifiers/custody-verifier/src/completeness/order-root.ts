import { Rejection } from '../rejection.ts';
import { emptyIndexHash, indexLeafHash, indexNodeHash, orderKey, valueHash } from './index-hash.ts';
import type { IndexLeaf } from './index-subtree.ts';
import { bitOf, keyBits, sharedBits } from './key-bits.ts';

/** What a proof claims about an order in the index. */
export interface OrderInIndex {
  readonly orderId: string;
  /** Number of the order's entries. 0 if the index has no leaf of the order. */
  readonly count: number;
  /** The `event_hash` of the last entry; ignored if there are no entries. */
  readonly head: string;
  /** The sibling hashes from the leaf's position up to the root, deepest first. */
  readonly path: readonly Uint8Array[];
  /**
   * For an order without entries: the leaf of another order at the end of the path, or null for
   * none.
   */
  readonly otherLeaf: IndexLeaf | null;
}

/**
 * Computes the root of the index that the claim implies (decision 52). The claim is proven if a
 * signed checkpoint carries this root.
 * @throws Rejection for a path or a leaf that no index can have.
 */
export const orderIndexRoot = ({
  orderId,
  count,
  head,
  path,
  otherLeaf,
}: OrderInIndex): Uint8Array => {
  const key = orderKey(orderId);
  if (path.length > keyBits) throw new Rejection(`a path has at most ${keyBits} hashes`);
  let hash: Uint8Array;
  if (count > 0) {
    if (otherLeaf) throw new Rejection('the leaf of another order says nothing of an order in it');
    hash = indexLeafHash(key, valueHash(count, head));
  } else if (otherLeaf) hash = otherLeafHash(key, otherLeaf, path.length);
  else hash = emptyIndexHash;
  for (const [n, beside] of path.entries())
    hash =
      bitOf(key, path.length - 1 - n) === 0
        ? indexNodeHash(hash, beside)
        : indexNodeHash(beside, hash);
  return hash;
};

/**
 * Returns the hash of another order's leaf, which proves that this order has no leaf.
 * @throws Rejection if both orders have one key, or if the keys differ in their first `depth` bits,
 *   so that the paths to the two keys are not the same.
 */
const otherLeafHash = (
  key: Uint8Array,
  { key: other, value }: IndexLeaf,
  depth: number,
): Uint8Array => {
  const shared = sharedBits(key, other);
  if (shared === keyBits) throw new Rejection("the other order's leaf has the key of this order");
  if (shared < depth) throw new Rejection("the other order's leaf is not on the way to this order");
  return indexLeafHash(other, value);
};
