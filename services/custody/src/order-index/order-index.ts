import {
  emptyIndexHash,
  loadTiles,
  orderKey,
  type ReadIndexTiles,
  type UpdatedIndex,
  updateTiles,
  valueHash,
} from '@pto/custody-verifier';
import {
  bulkInsert,
  bulkStatement,
  fragment,
  type Placeholders,
  type Sql,
  statement,
} from '@pto/database';
import { loggedLeaves } from '../log/stored-log.ts';
import { tables } from '../schema/ledger-database.ts';

const readNewest = bulkStatement(
  { prefix: 'text' },
  (rows, given: Placeholders<{ size: string }>) =>
    tables
      .selectFrom(rows('requested'))
      .crossJoinLateral((eb) =>
        eb
          .selectFrom('order_index_tiles as t')
          .select('t.tile')
          .whereRef('t.prefix', '=', 'requested.prefix')
          .where('t.size', '<=', given.size)
          .orderBy('t.size', 'desc')
          .limit(fragment.lit(1))
          .as('newest'),
      )
      .select(['requested.prefix', 'newest.tile']),
);

/** Returns a function that reads the tiles of the index over the log's first `size` leaves. */
export const indexTilesAt =
  (sql: Sql, size: number): ReadIndexTiles =>
  async (prefixes) => {
    const requested = prefixes.map((prefix) => ({ prefix }));
    const rows = await readNewest(sql, requested, { size: `${size}` });
    return new Map(rows.map(({ prefix, tile }) => [prefix, tile]));
  };

export interface IndexVersion {
  /** Number of leaves of the log that the index covers. */
  readonly size: number;
  readonly root: Uint8Array;
}

const newestVersion = statement(() =>
  tables
    .selectFrom('order_index_versions')
    .select(['size', 'root'])
    .orderBy('size', 'desc')
    .limit(fragment.lit(1)),
);

/** Returns the newest stored index; the index over no leaves if none is stored. */
export const newestIndex = async (sql: Sql): Promise<IndexVersion> => {
  const [row] = await newestVersion(sql);
  return row ? { size: Number(row.size), root: row.root } : { size: 0, root: emptyIndexHash };
};

const insertTiles = bulkInsert(tables, 'order_index_tiles');

const insertVersion = statement(
  (given: Placeholders<{ size: string; root: Buffer; prefixes: readonly string[] }>) =>
    tables.insertInto('order_index_versions').values({
      size: given.size,
      root: given.root,
      prefixes: fragment<string[]>`${given.prefixes}::text[]`,
    }),
);

/** Stores the index over `size` leaves as a new version. Earlier versions stay readable. */
const saveIndex = async (sql: Sql, size: number, { root, tiles }: UpdatedIndex): Promise<void> => {
  await insertTiles(
    sql,
    Array.from(tiles, ([prefix, tile]) => ({ prefix, size: `${size}`, tile: Buffer.from(tile) })),
  );
  const prefixes = [...tiles.keys()];
  await insertVersion(sql, { size: `${size}`, root: Buffer.from(root), prefixes });
};

/** Maximum number of leaves of the log that one transaction adds to the index. */
export const extendMax = 16_384;

/**
 * Adds the log's leaves from the index's size to before `size` to the index, and stores the index.
 * @param index the newest stored index.
 * @throws Rejection if a stored tile is missing or malformed.
 */
export const extendIndex = async (
  sql: Sql,
  index: IndexVersion,
  size: number,
): Promise<IndexVersion> => {
  const added = await loggedLeaves(sql, index.size, size);
  const lastOfOrders = new Map(added.map((leaf) => [leaf.order_id, leaf]));
  const leaves = Array.from(lastOfOrders.values(), (leaf) => ({
    key: orderKey(leaf.order_id),
    value: valueHash(leaf.sequence, leaf.event_hash),
  }));
  const keys = leaves.map(({ key }) => key);
  const loaded = await loadTiles(indexTilesAt(sql, index.size), keys, null);
  const updated = updateTiles(loaded, leaves);
  await saveIndex(sql, size, updated);
  return { size, root: updated.root };
};

/**
 * Time for which a tile is stored after a newer version has replaced it, in ms. The auditor can
 * continue from the index of any checkpoint that was signed within this time.
 */
const readableMs = 24 * 3_600_000;
/** Maximum number of versions whose replaced tiles one call deletes. */
const versionsMax = 20;

const deleteReplaced = statement((given: Placeholders<{ afterMs: number }>) =>
  tables
    .with('old', (db) =>
      db
        .selectFrom('order_index_versions')
        .select(['size', 'prefixes'])
        .where('prefixes', '<>', fragment<string[]>`'{}'`)
        .where(
          'written_at',
          '<',
          fragment<string>`clock_timestamp() - ${given.afterMs} * interval '1 ms'`,
        )
        .orderBy('size')
        .limit(fragment.lit(versionsMax))
        .forUpdate()
        .skipLocked(),
    )
    .with('newest', (db) => db.selectFrom('old').select(({ fn }) => fn.max('size').as('size')))
    .with('written', (db) =>
      db
        .selectFrom('old')
        .select(({ fn }) => ['size', fn<string>('unnest', ['prefixes']).as('prefix')]),
    )
    .with('deleted', (db) =>
      db
        .deleteFrom('order_index_tiles as t')
        .using('written as w')
        .whereRef('t.prefix', '=', 'w.prefix')
        .whereRef('t.size', '<', 'w.size')
        .returning('t.size'),
    )
    .with('older', (db) =>
      db
        .deleteFrom('order_index_versions as v')
        .using('newest as n')
        .whereRef('v.size', '<', 'n.size'),
    )
    .with('done', (db) =>
      db
        .updateTable('order_index_versions as v')
        .from('newest as n')
        .set({ prefixes: fragment<string[]>`'{}'` })
        .whereRef('v.size', '=', 'n.size'),
    )
    .selectFrom('deleted')
    .select(({ fn }) => fn.countAll<string>().as('deleted')),
);

/**
 * Deletes the tiles that a version has replaced which was written more than `afterMs` ago, and the
 * records of all versions before it: the index over fewer leaves cannot be read afterwards. One
 * call handles the oldest 20 of these versions.
 * @returns the number of deleted tiles.
 */
export const deleteSuperseded = async (sql: Sql, afterMs = readableMs): Promise<number> => {
  const [row] = await deleteReplaced(sql, { afterMs });
  return Number(row?.deleted ?? 0);
};
