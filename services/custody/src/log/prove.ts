import { isoMillis, type Sql } from '@pto/database';
import type { EntryRow } from '../chain/entry-row.ts';
import { emptyHead, type Head } from '../chain/link.ts';
import { readEntries, readHead } from '../chain/read-chain.ts';
import { type CompletenessProof, proveCompleteness } from '../order-index/prove-completeness.ts';
import { type Checkpoint, lastCheckpoint } from './checkpoints.ts';
import { tileReader } from './tile-store.ts';
import { inclusionPath } from './tree.ts';

export interface LeafProof {
  readonly leafIndex: number;
  readonly treeSize: number;
  readonly inclusion: readonly Uint8Array[];
  readonly checkpoint: string;
  /** `YYYY-MM-DDTHH:mm:ss.sssZ`. */
  readonly signedAt: string;
}

/** An order's chain and its proofs, all of them as of one checkpoint. */
export interface ChainProof {
  readonly entries: readonly EntryRow[];
  readonly head: Head;
  /** Null while no checkpoint covers the last entry, and for an order without entries. */
  readonly log: LeafProof | null;
  /** Null while no checkpoint covers the last entry, or while none carries an index root. */
  readonly completeness: CompletenessProof | null;
}

/**
 * Reads a chain with its proofs.
 * @param sql one snapshot: the parts must agree with one another.
 * @param complete false leaves entries and completeness out.
 */
export const proveChain = async (
  sql: Sql,
  orderId: string,
  complete: boolean,
): Promise<ChainProof> => {
  const entries = complete ? await readEntries(sql, orderId) : [];
  const last = entries.at(-1);
  const head = last
    ? { sequence: last.sequence, hash: last.event_hash }
    : ((await readHead(sql, orderId)) ?? emptyHead(orderId));
  const newest = await lastCheckpoint(sql);
  const log = newest && (await proveLeaf(sql, orderId, head, newest));
  const covered = newest !== null && (log !== null || head.sequence === 0);
  const proved = { orderId, count: head.sequence, head: head.hash };
  const completeness = complete && covered ? await proveCompleteness(sql, proved, newest) : null;
  return { entries, head, log, completeness };
};

const proveLeaf = async (
  sql: Sql,
  orderId: string,
  { sequence }: Head,
  newest: Checkpoint,
): Promise<LeafProof | null> => {
  const [leaf] = await sql.query<{ leaf_index: string }>(
    'select leaf_index from log_leaves where order_id = $1 and sequence = $2',
    [orderId, sequence],
  );
  const leafIndex = Number(leaf?.leaf_index);
  if (!leaf || newest.size <= leafIndex) return null;
  return {
    leafIndex,
    treeSize: newest.size,
    inclusion: await inclusionPath(tileReader(sql), leafIndex, newest.size),
    checkpoint: newest.note,
    signedAt: isoMillis(newest.signedAt),
  };
};
