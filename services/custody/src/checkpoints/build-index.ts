import type { Database } from '@pto/database';
import { holdLog } from '../log/integrate.ts';
import { deleteBefore } from '../order-index/delete-before.ts';
import { emptyIndex, extendIndex, extendMax } from '../order-index/extend-index.ts';
import { newestIndex } from '../order-index/tile-store.ts';
import { lastCheckpoint } from './stored-checkpoints.ts';

/**
 * Extends the order index by one step of at most `extendMax` leaves, if the newest checkpoint covers
 * more leaves than the index. The index has fewer leaves if the log existed before the index was introduced, or
 * if the index's tables were emptied. Earlier versions of the index are deleted, because no
 * checkpoint carries their roots.
 * @returns true if the newest checkpoint still covers more leaves than the index; false if not, or
 *   if another replica holds the log's lock.
 */
export const buildIndex = (db: Database): Promise<boolean> =>
  db.transaction(async (tx) => {
    if (!(await holdLog(tx))) return false; // another replica holds the log's lock
    const signed = (await lastCheckpoint(tx))?.size ?? 0;
    const index = (await newestIndex(tx)) ?? emptyIndex;
    if (index.size >= signed) return false;
    const target = Math.min(signed, index.size + extendMax);
    await extendIndex(tx, index, target);
    await deleteBefore(tx, target);
    return target < signed;
  });
