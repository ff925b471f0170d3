import { isoMillis, type Sql } from '@pto/database';
import { lastCheckpoint } from './checkpoints.ts';
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

/** Where an entry stands under the newest checkpoint; null while none covers it. */
export const proveLeaf = async (
  sql: Sql,
  entry: { orderId: string; sequence: number },
): Promise<LeafProof | null> => {
  const [leaf] = await sql.query<{ leaf_index: string }>(
    'select leaf_index from log_leaves where order_id = $1 and sequence = $2',
    [entry.orderId, entry.sequence],
  );
  const newest = leaf && (await lastCheckpoint(sql));
  const leafIndex = Number(leaf?.leaf_index);
  if (!newest || newest.size <= leafIndex) return null;
  return {
    leafIndex,
    treeSize: newest.size,
    inclusion: await inclusionPath(tileReader(sql), leafIndex, newest.size),
    checkpoint: newest.note,
    signedAt: isoMillis(newest.signedAt),
  };
};
