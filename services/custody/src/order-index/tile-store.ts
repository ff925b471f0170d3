import type { ReadIndexTiles, UpdatedIndex } from '@pto/custody-verifier';
import { fragment, type Given, insertRows, overRows, type Sql, statement } from '@pto/database';
import { tables } from '../schema/ledger-database.ts';

const readNewest = overRows({ prefix: 'text' }, (rows, given: Given<{ size: string }>) =>
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
    const rows = await readNewest(
      sql,
      prefixes.map((prefix) => ({ prefix })),
      { size: `${size}` },
    );
    return new Map(rows.map(({ prefix, tile }) => [prefix, tile]));
  };

/** A stored version of the index. */
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

/** Returns the newest stored index; null if none is stored. */
export const newestIndex = async (sql: Sql): Promise<IndexVersion | null> => {
  const [row] = await newestVersion(sql);
  return row ? { size: Number(row.size), root: row.root } : null;
};

const insertTiles = overRows(
  { prefix: 'text', length: 'int' },
  (rows, given: Given<{ size: string; bytes: Buffer }>) =>
    insertRows(tables, 'order_index_tiles', tables.selectFrom(rows('w')), ({ fn, ref }) => {
      const length = ref('w.length');
      const end = fn.sum<string>(length).over((over) => over.orderBy('w.n'));
      return {
        prefix: ref('w.prefix'),
        size: given.size,
        tile: fragment<Buffer>`substr(${given.bytes}::bytea, (1 + ${end} - ${length})::int, ${length})`,
      };
    }),
);

const insertVersion = statement(
  (given: Given<{ size: string; root: Buffer; prefixes: readonly string[] }>) =>
    tables.insertInto('order_index_versions').values({
      size: given.size,
      root: given.root,
      prefixes: fragment<string[]>`${given.prefixes}::text[]`,
    }),
);

/** Stores the index over `size` leaves as a new version. Earlier versions stay readable. */
export const saveIndex = async (
  sql: Sql,
  size: number,
  { root, tiles }: UpdatedIndex,
): Promise<void> => {
  // all tiles in one value, because the driver sends an array of values as text, which takes longer
  const bytes = Buffer.concat([...tiles.values()]);
  const rows = Array.from(tiles, ([prefix, { length }]) => ({ prefix, length }));
  await insertTiles(sql, rows, { size: `${size}`, bytes });
  const prefixes = [...tiles.keys()];
  await insertVersion(sql, { size: `${size}`, root: Buffer.from(root), prefixes });
};

/** Maximum length of the prefixes of cached tiles, in digits: 4,369 tiles, at most 5 MB. */
const digitsMax = 3;

/**
 * Caches the upper tiles of the index that this process stored last, because every update reads
 * most of them. The tiles of the index over `size` leaves depend only on the first `size` leaves of
 * the log. So the cached tiles are correct whenever the database names an index of the same size,
 * even if this process's transaction was rolled back or another process stored that index.
 */
export class TopTiles {
  #size = -1;
  readonly #tiles = new Map<string, Uint8Array>();

  /**
   * Returns a function that reads tiles of the index over `size` leaves from the cache, or by
   * `read`.
   */
  reader(size: number, read: ReadIndexTiles): ReadIndexTiles {
    if (size !== this.#size) this.#tiles.clear();
    return async (prefixes) => {
      const absent = prefixes.filter((prefix) => !this.#tiles.has(prefix));
      const found = new Map(absent.length > 0 ? await read(absent) : []);
      for (const prefix of prefixes) {
        const tile = this.#tiles.get(prefix);
        if (tile) found.set(prefix, tile);
      }
      return found;
    };
  }

  /** Caches those upper tiles that changed when the index was extended to `size` leaves. */
  hold(size: number, changed: UpdatedIndex['tiles']): void {
    this.#size = size;
    for (const [prefix, tile] of changed)
      if (prefix.length <= digitsMax) this.#tiles.set(prefix, tile.slice());
  }
}
