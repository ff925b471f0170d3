import {
  type IndexLeaf,
  loadTiles,
  orderIndexRoot,
  orderKey,
  proveOrder,
} from '@pto/custody-verifier';
import type { Sql } from '@pto/database';
import { readLines } from '../notes/note-signer.ts';
import { indexTilesAt } from './tile-store.ts';

/** Proves how many entries of an order a checkpoint covers, and which is the last (decision 52). */
export interface CompletenessProof {
  /** The sibling hashes from the order's leaf up to the root, deepest first. */
  readonly path: readonly Uint8Array[];
  /**
   * For an order without entries: the leaf of another order at the position where the order's own
   * leaf would be; null if no leaf is there. Null for an order with entries.
   */
  readonly otherLeaf: IndexLeaf | null;
  /** The signed note with the index root to which the path leads. */
  readonly checkpoint: string;
}

/**
 * Proves what the signed index contains for an order.
 * @param order `count`: number of the order's entries that the checkpoint covers; `head`: the
 *   `event_hash` of the last of them.
 * @returns null for a checkpoint that carries no index root.
 * @throws Error if the stored index does not lead to the signed root.
 */
export const proveCompleteness = async (
  sql: Sql,
  { orderId, count, head }: { orderId: string; count: number; head: string },
  checkpoint: { readonly size: number; readonly note: string },
): Promise<CompletenessProof | null> => {
  const { indexRoot } = readLines(checkpoint.note);
  if (!indexRoot) return null;
  const key = orderKey(orderId);
  const tiles = await loadTiles(indexTilesAt(sql, checkpoint.size), [key], indexRoot);
  const { path, leaf, included } = proveOrder(tiles, key);
  const otherLeaf = included ? null : leaf;
  const root = orderIndexRoot({ orderId, count, head, path, otherLeaf });
  if (!Buffer.from(indexRoot).equals(root))
    throw new Error(`the order index over ${checkpoint.size} leaves contradicts order ${orderId}`);
  return { path, otherLeaf, checkpoint: checkpoint.note };
};
