import { type Database, fragment, type Given, statement } from '@pto/database';
import { tables } from '../schema/ledger-database.ts';
import { deleteBefore } from './delete-before.ts';

/**
 * Time for which a tile is stored after a newer version has replaced it, in ms. The auditor can
 * continue from the index of any checkpoint that was signed within this time.
 */
export const readableMs = 24 * 3_600_000;
/**
 * Maximum number of versions whose replaced tiles one call deletes, in one transaction per version.
 */
const versionsMax = 20;

const lockOldest = statement((given: Given<{ keptMs: number }>) =>
  tables
    .selectFrom('order_index_versions')
    .select('size')
    .where('prefixes', '<>', fragment<string[]>`'{}'`)
    .where(
      'written_at',
      '<',
      fragment<string>`clock_timestamp() - ${given.keptMs} * interval '1 ms'`,
    )
    .orderBy('size')
    .limit(fragment.lit(1))
    .forUpdate()
    .skipLocked(),
);

/**
 * Deletes tiles that a version written more than `keptMs` ago has replaced. One call handles the
 * oldest 20 of these versions.
 * @returns the number of deleted tiles.
 */
export const deleteSuperseded = async (db: Database, keptMs = readableMs): Promise<number> => {
  let deleted = 0;
  for (let n = 0; n < versionsMax; n++) {
    const count = await db.transaction(async (tx) => {
      const [oldest] = await lockOldest(tx, { keptMs });
      return oldest ? await deleteBefore(tx, Number(oldest.size)) : null;
    });
    if (count === null) return deleted;
    deleted += count;
  }
  return deleted;
};
