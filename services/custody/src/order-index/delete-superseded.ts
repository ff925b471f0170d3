import type { Database } from '@pto/database';
import { deleteBefore } from './tile-store.ts';

/**
 * How long replaced tiles are stored, so that the auditor can continue from the index of any
 * checkpoint of this time.
 */
export const readableMs = 24 * 3_600_000;
/** Maximum number of versions that one call clears, each in its own transaction. */
const versionsMax = 20;

/**
 * Deletes tiles that were replaced before the readable time began, oldest first.
 * @returns the number of deleted tiles.
 */
export const deleteSuperseded = async (db: Database, keptMs = readableMs): Promise<number> => {
  let deleted = 0;
  for (let n = 0; n < versionsMax; n++) {
    const count = await db.transaction(async (tx) => {
      const [oldest] = await tx.query<{ size: string }>(
        `select size from order_index_versions
         where prefixes <> '{}' and written_at < clock_timestamp() - $1 * interval '1 ms'
         order by size limit 1 for update skip locked`,
        [keptMs],
      );
      return oldest ? await deleteBefore(tx, Number(oldest.size)) : null;
    });
    if (count === null) return deleted;
    deleted += count;
  }
  return deleted;
};
