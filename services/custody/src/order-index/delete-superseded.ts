import { type Database, fragment, type Given, type Sql, statement } from '@pto/database';
import { tables } from '../schema/ledger-database.ts';

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

const deleteReplaced = statement((given: Given<{ size: string }>) =>
  tables
    .with('written', (db) =>
      db
        .selectFrom('order_index_versions')
        .select(({ fn }) => fn<string>('unnest', ['prefixes']).as('prefix'))
        .where('size', '=', given.size),
    )
    .with('deleted', (db) =>
      db
        .deleteFrom('order_index_tiles as t')
        .using('written as w')
        .whereRef('t.prefix', '=', 'w.prefix')
        .where('t.size', '<', given.size)
        .returning('t.size'),
    )
    .with('older', (db) => db.deleteFrom('order_index_versions').where('size', '<', given.size))
    .with('done', (db) =>
      db
        .updateTable('order_index_versions')
        .set({ prefixes: fragment<string[]>`'{}'` })
        .where('size', '=', given.size),
    )
    .selectFrom('deleted')
    .select(({ fn }) => fn.countAll<string>().as('deleted')),
);

/**
 * Deletes the tiles that the version over `size` leaves has replaced, and the records of all
 * earlier versions. The index over fewer leaves cannot be read afterwards.
 * @param size number of leaves of the version.
 * @returns the number of deleted tiles.
 */
export const deleteBefore = async (sql: Sql, size: number): Promise<number> => {
  const [row] = await deleteReplaced(sql, { size: `${size}` });
  return Number(row?.deleted ?? 0);
};
