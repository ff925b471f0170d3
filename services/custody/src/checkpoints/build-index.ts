import type { Database } from '@pto/database';
import { holdLog } from '../log/integrate.ts';
import { emptyIndex, extendIndex, extendMax } from '../order-index/extend-index.ts';
import { deleteBefore, newestIndex } from '../order-index/tile-store.ts';
import { lastCheckpoint } from './checkpoints.ts';

/**
 * Takes the next leaves under the newest checkpoint into an index that does not cover all of them:
 * that of a log from before the index, or one whose tables were emptied. Versions on the way are
 * deleted: no checkpoint carries their roots.
 * @returns whether there are more.
 */
export const buildIndex = (db: Database): Promise<boolean> =>
  db.transaction(async (tx) => {
    if (!(await holdLog(tx))) return false; // another replica does it
    const signed = (await lastCheckpoint(tx))?.size ?? 0;
    const index = (await newestIndex(tx)) ?? emptyIndex;
    if (index.size >= signed) return false;
    const target = Math.min(signed, index.size + extendMax);
    await extendIndex(tx, index, target);
    await deleteBefore(tx, target);
    return target < signed;
  });
