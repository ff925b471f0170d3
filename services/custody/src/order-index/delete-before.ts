import { fragment, type Given, type Sql, statement } from '@pto/database';
import { tables } from '../schema/ledger-database.ts';

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
