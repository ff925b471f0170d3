import { Rejection } from '../rejection.ts';
import { emptyIndexHash, indexLeafHash, indexNodeHash, orderKey, valueHash } from './index-hash.ts';
import type { IndexLeaf } from './index-subtree.ts';
import { bitOf, keyBits, sharedBits } from './key-bits.ts';

/** What a proof says that the index holds of an order. */
export interface OrderInIndex {
  readonly orderId: string;
  /** Number of the order's entries. 0: the index holds no leaf of the order. */
  readonly count: number;
  /** `event_hash` of the last of them; not looked at where there are none. */
  readonly head: string;
  /** The hashes beside the way, the deepest first. */
  readonly path: readonly Uint8Array[];
  /** Where there are no entries: the leaf of another order at the way's end, or null for none. */
  readonly otherLeaf: IndexLeaf | null;
}

/**
 * The root of the index that says so (decision 52). It is proved if a signed checkpoint carries this
 * root.
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

/** The leaf of another order shows that there is none of this one only where both ways are one. */
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
