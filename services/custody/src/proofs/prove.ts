import { execute, isoMillis, type Sql } from '@pto/database';
import type { EntryRow } from '../chain/entry-row.ts';
import { emptyHead, type Head } from '../chain/link.ts';
import { readEntries, readHead } from '../chain/read-chain.ts';
import type { Checkpoint } from '../checkpoints/stored-checkpoints.ts';
import { tileReader } from '../log/tile-store.ts';
import { inclusionPath } from '../log/tree.ts';
import { type CompletenessProof, proveCompleteness } from '../order-index/prove-completeness.ts';
import { tables } from '../schema/ledger-database.ts';
import { checkpointOfProof } from '../witness/published.ts';

export interface LeafProof {
  readonly leafIndex: number;
  readonly treeSize: number;
  readonly inclusion: readonly Uint8Array[];
  readonly checkpoint: string;
  /** Time in the form `YYYY-MM-DDTHH:mm:ss.sssZ`. */
  readonly signedAt: string;
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
    : ((await readHead(sql, orderId)) ?? emptyHead(orderId));
  const leafIndex = head.sequence === 0 ? null : await leafOf(sql, orderId, head);
  if (head.sequence > 0 && leafIndex === null)
    return { entries, head, log: null, completeness: null };
  const checkpoint = await checkpointOfProof(sql, leafIndex ?? -1, witnesses);
  if (!checkpoint) return { entries, head, log: null, completeness: null };
  const log = leafIndex === null ? null : await proveLeaf(sql, leafIndex, checkpoint);
  const proved = { orderId, count: head.sequence, head: head.hash };
  const completeness = complete ? await proveCompleteness(sql, proved, checkpoint) : null;
  return { entries, head, log, completeness };
};

/** Returns the leaf index of an order's last entry; null if the entry is not in the log yet. */
const leafOf = async (sql: Sql, orderId: string, { sequence }: Head): Promise<number | null> => {
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
  inclusion: await inclusionPath(tileReader(sql), leafIndex, size),
  checkpoint: note,
  signedAt: isoMillis(signedAt),
});
