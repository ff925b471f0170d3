import {
  type IndexLeaf,
  loadTiles,
  orderIndexRoot,
  orderKey,
  proveInclusion,
  proveOrder,
} from '@pto/custody-verifier';
import { execute, isoMillis, type Sql } from '@pto/database';
import type { EntryRow } from '../chain/entry-row.ts';
import { emptyHead, type Head } from '../chain/link.ts';
import { readChains, readEntries } from '../chain/read-chain.ts';
import type { Checkpoint } from '../checkpoints/stored-checkpoints.ts';
import { readLines } from '../log/note-signer.ts';
import { nodesOf } from '../log/stored-log.ts';
import { indexTilesAt } from '../order-index/index-store.ts';
import { tables } from '../schema/ledger-database.ts';
import { checkpointOfProof } from '../witness/published.ts';

export interface LeafProof {
  readonly leafIndex: number;
  readonly treeSize: number;
  readonly inclusion: Uint8Array[];
  readonly checkpoint: string;
  /** Time in the form `YYYY-MM-DDTHH:mm:ss.sssZ`. */
  readonly signedAt: string;
}

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

/** An order's chain and its proofs as of one checkpoint. */
export interface ChainProof {
  readonly entries: readonly EntryRow[];
  readonly head: Head;
  /** Null if no checkpoint covers the last entry, and for an order without entries. */
  readonly log: LeafProof | null;
  /**
   * Null if it was not requested, if no checkpoint covers the last entry, or if the checkpoint of
   * the proof carries no index root.
   */
  readonly completeness: CompletenessProof | null;
}

/**
 * Reads a chain and creates its proofs.
 * @param sql one snapshot, so that chain, log and checkpoint agree.
 * @param complete false omits entries and completeness.
 * @param witnesses vkeys of the configured witnesses.
 */
export const proveChain = async (
  sql: Sql,
  orderId: string,
  complete: boolean,
  witnesses: readonly string[],
): Promise<ChainProof> => {
  const entries = complete ? await readEntries(sql, orderId) : [];
  const last = entries.at(-1);
  const head = last
    ? { sequence: last.sequence, hash: last.event_hash }
    : ((await readChains(sql, [orderId])).get(orderId) ?? emptyHead(orderId));
  // an order without entries is proven by any checkpoint
  const leafIndex = head.sequence === 0 ? -1 : await leafOf(sql, orderId, head.sequence);
  const checkpoint = leafIndex === null ? null : await checkpointOfProof(sql, leafIndex, witnesses);
  if (leafIndex === null || !checkpoint) return { entries, head, log: null, completeness: null };
  return {
    entries,
    head,
    log: leafIndex < 0 ? null : await proveLeaf(sql, leafIndex, checkpoint),
    completeness: complete ? await proveCompleteness(sql, orderId, head, checkpoint) : null,
  };
};

/** Returns the leaf index of an entry; null if the entry is not in the log yet. */
const leafOf = async (sql: Sql, orderId: string, sequence: number): Promise<number | null> => {
  const [leaf] = await execute(
    sql,
    tables
      .selectFrom('log_leaves')
      .select('leaf_index')
      .where('order_id', '=', orderId)
      .where('sequence', '=', sequence),
  );
  return leaf ? Number(leaf.leaf_index) : null;
};

const proveLeaf = async (
  sql: Sql,
  leafIndex: number,
  { size, note, signedAt }: Checkpoint,
): Promise<LeafProof> => ({
  leafIndex,
  treeSize: size,
  inclusion: await proveInclusion(leafIndex, size, nodesOf(sql)),
  checkpoint: note,
  signedAt: isoMillis(signedAt),
});

/**
 * Proves what the signed index contains for an order.
 * @param head the number of the order's entries that the checkpoint covers, and the hash of the
 *   last of them.
 * @returns null for a checkpoint that carries no index root.
 * @throws Error if the stored index does not lead to the signed root.
 */
const proveCompleteness = async (
  sql: Sql,
  orderId: string,
  { sequence: count, hash: head }: Head,
  { size, note }: Checkpoint,
): Promise<CompletenessProof | null> => {
  const { indexRoot } = readLines(note);
  if (!indexRoot) return null;
  const key = orderKey(orderId);
  const tiles = await loadTiles(indexTilesAt(sql, size), [key], indexRoot);
  const { path, leaf, included } = proveOrder(tiles, key);
  const otherLeaf = included ? null : leaf;
  const root = orderIndexRoot({ orderId, count, head, path, otherLeaf });
  if (!Buffer.from(indexRoot).equals(root))
    throw new Error(`the order index over ${size} leaves contradicts order ${orderId}`);
  return { path, otherLeaf, checkpoint: note };
};
