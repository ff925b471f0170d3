import {
  type IndexLeaf,
  type IndexTiles,
  leafOfKey,
  loadTiles,
  orderKey,
  type ReadIndexTiles,
  Rejection,
  updateTiles,
  valueHash,
} from '@pto/custody-verifier';

/** A verified leaf of the log that was added to the index. */
export interface AddedLeaf {
  readonly orderId: string;
  readonly sequence: number;
  readonly eventHash: string;
  /** `prev_event_hash` of the entry; undefined if the caller does not know it. */
  readonly previousHash?: string | undefined;
}

/**
 * The root after a step, or what is wrong and with which order; the order id is empty if no order
 * is concerned.
 */
export type IndexStep =
  | { readonly root: Uint8Array }
  | { readonly root: null; readonly orderId: string; readonly reason: string };

/**
 * Computes the index's next root from the last verified root and the leaves added since. Stored
 * tiles are not trusted: each tile must hash to its position under the verified root. The sequence
 * numbers of an order's leaves must follow the count in the index without a gap. If the first leaf
 * of the order has a `previousHash`, that hash must be the head in the index. Memory is
 * proportional to the number of leaves.
 * @param read reads the stored tiles of the verified root: `indexTilesAt(sql, size)`.
 * @param root the verified root; `emptyIndexHash` before the first leaf.
 * @param leaves in the log's order.
 */
export const auditIndexStep = async (
  read: ReadIndexTiles,
  root: Uint8Array,
  leaves: readonly AddedLeaf[],
): Promise<IndexStep> => {
  const byOrder = Map.groupBy(leaves, ({ orderId }) => orderId);
  try {
    const keys = [...byOrder.keys()].map(orderKey);
    const tiles = await loadTiles(read, keys, root);
    const added: IndexLeaf[] = [];
    for (const [n, [orderId, of]] of [...byOrder].entries()) {
      const reason = continuationFault(tiles, keys[n]!, of);
      if (reason !== null) return { root: null, orderId, reason };
      const last = of.at(-1)!;
      added.push({ key: keys[n]!, value: valueHash(last.sequence, last.eventHash) });
    }
    return { root: updateTiles(tiles, added).root };
  } catch (error) {
    if (error instanceof Rejection) return { root: null, orderId: '', reason: error.message };
    throw error;
  }
};

/** Returns why an order's leaves do not continue the index's leaf of the order, or null. */
const continuationFault = (
  tiles: IndexTiles,
  key: Uint8Array,
  leaves: readonly AddedLeaf[],
): string | null => {
  const [first] = leaves;
  const { sequence, previousHash } = first!;
  const held = leafOfKey(tiles, key);
  if (!held && sequence !== 1)
    return `the log adds entry ${sequence}, the index holds no entry of the order`;
  if (held && sequence === 1)
    return 'the log adds entry 1, the index already holds entries of the order';
  if (held && previousHash !== undefined) {
    const before = valueHash(sequence - 1, previousHash);
    if (!Buffer.from(before).equals(held.value))
      return `the log adds entry ${sequence}, the index does not hold the entry before it as last`;
  }
  const gap = leaves.findIndex((leaf, n) => leaf.sequence !== sequence + n);
  if (gap > 0)
    return `the log adds entry ${leaves[gap]!.sequence} behind entry ${leaves[gap - 1]!.sequence}`;
  return null;
};
