import { sameBytes } from '../bytes.ts';
import { Rejection } from '../rejection.ts';
import { childPrefix, type IndexTiles, subtreesOf } from './index-tiles.ts';
import {
  bitOf,
  digitOf,
  emptyIndexHash,
  halved,
  type IndexLeaf,
  type IndexSubtree,
  indexLeafHash,
  indexNodeHash,
  isNode,
  keyBits,
  orderKey,
  subtreeHash,
  valueHash,
} from './order-index.ts';

/** The end of the path to a key in the index. */
export interface OrderPath {
  /** The sibling hashes from the end of the path up to the root, deepest first. */
  readonly path: readonly Uint8Array[];
  /**
   * The leaf at the end of the path: the order's leaf, the leaf of another order whose key begins
   * with the same bits, or null.
   */
  readonly leaf: IndexLeaf | null;
  /** Whether the leaf is the order's own. */
  readonly included: boolean;
}

/**
 * Returns the path to a key, which proves what the index contains for an order, or that it contains
 * nothing.
 * @param tiles the tiles on the path, from `loadTiles`.
 */
export const proveOrder = (tiles: IndexTiles, key: Uint8Array): OrderPath => {
  const path: Uint8Array[] = [];
  for (let prefix = ''; ; ) {
    const levels: (readonly IndexSubtree[])[] = [subtreesOf(tiles.get(prefix)!)];
    while (levels.at(-1)!.length > 1) levels.push(halved(levels.at(-1)!));
    const digit = digitOf(key, prefix.length);
    for (let level = levels.length - 1; level >= 0; level--) {
      const index = digit >> level;
      const subtree = levels[level]![index]!;
      if (level < levels.length - 1) path.unshift(subtreeHash(levels[level]![index ^ 1]!));
      if (!isNode(subtree))
        return { path, leaf: subtree, included: subtree !== null && sameBytes(subtree.key, key) };
    }
    prefix = childPrefix(prefix, digit);
  }
};

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
export const orderIndexRoot = (claim: OrderInIndex): Uint8Array => {
  const { path } = claim;
  const key = orderKey(claim.orderId);
  if (path.length > keyBits) throw new Rejection(`a path has at most ${keyBits} hashes`);
  return path.reduce(
    (hash, beside, n) =>
      bitOf(key, path.length - 1 - n) === 0
        ? indexNodeHash(hash, beside)
        : indexNodeHash(beside, hash),
    claimedEnd(key, claim),
  );
};

/**
 * Returns the hash of the subtree in which the path ends, by the claim.
 * @throws Rejection for a leaf of another order that proves nothing: the index has the order, both
 *   orders have one key, or the other key is not on the path.
 */
const claimedEnd = (
  key: Uint8Array,
  { count, head, path, otherLeaf: other }: OrderInIndex,
): Uint8Array => {
  if (count > 0) {
    if (other) throw new Rejection('the leaf of another order says nothing of an order in it');
    return indexLeafHash({ key, value: valueHash(count, head) });
  }
  if (!other) return emptyIndexHash;
  if (sameBytes(other.key, key))
    throw new Rejection("the other order's leaf has the key of this order");
  if (path.some((_, bit) => bitOf(other.key, bit) !== bitOf(key, bit)))
    throw new Rejection("the other order's leaf is not on the way to this order");
  return indexLeafHash(other);
};
