import type { Database, Transaction } from '@pto/database';
import { holdLog } from '../log/integrate.ts';
import { readLines } from '../log/note-signer.ts';
import {
  deleteSuperseded,
  extendIndex,
  extendMax,
  type IndexVersion,
  newestIndex,
} from '../order-index/order-index.ts';
import { type Checkpoint, lastCheckpoint } from './stored-checkpoints.ts';

/**
 * Extends the stored index to the leaves of the next checkpoint, in the transaction that signs the
 * checkpoint (decision 52). A checkpoint covers at most {@link extendMax} more leaves than the
 * stored index.
 * @param last the newest checkpoint, or null.
 * @param size number of leaves in the log.
 * @returns the index, whose size is the number of leaves that the checkpoint covers; null while no
 *   checkpoint can be signed, because a lost index is being built again.
 * @throws Error if the stored index does not have the root that the last checkpoint carries.
 */
export const indexForCheckpoint = async (
  tx: Transaction,
  last: Pick<Checkpoint, 'size' | 'note'> | null,
  size: number,
): Promise<IndexVersion | null> => {
  const index = await newestIndex(tx);
  if (index.size < (last?.size ?? 0)) return null;
  if (last && !Buffer.from(readLines(last.note).indexRoot ?? []).equals(index.root))
    throw new Error(`the stored order index over ${index.size} leaves is not the signed one`);
  return extendIndex(tx, index, Math.min(size, index.size + extendMax));
};

/**
 * Extends the order index by one step of at most `extendMax` leaves, if the newest checkpoint covers
 * more leaves than the index, because the index's tables were emptied. Earlier versions of the
 * index are deleted, because no checkpoint carries their roots.
 * @returns true if the newest checkpoint still covers more leaves than the index; false if not, or
 *   if another replica holds the log's lock.
 */
export const buildIndex = (db: Database): Promise<boolean> =>
  db.transaction(async (tx) => {
    if (!(await holdLog(tx))) return false; // another replica holds the log's lock
    const signed = (await lastCheckpoint(tx))?.size ?? 0;
    const index = await newestIndex(tx);
    if (index.size >= signed) return false;
    const target = Math.min(signed, index.size + extendMax);
    await extendIndex(tx, index, target);
    await deleteSuperseded(tx, 0);
    return target < signed;
  });
