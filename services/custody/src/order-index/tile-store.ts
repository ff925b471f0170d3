import type { ReadIndexTiles, UpdatedIndex } from '@pto/custody-verifier';
import {
  type ArrayOf,
  fragment,
  type Given,
  insertRows,
  type Sql,
  statement,
  unnest,
  unnestNumbered,
} from '@pto/database';
import { tables } from '../schema/ledger-database.ts';

const readNewest = statement((given: Given<{ prefix: ArrayOf<string>; size: string }>) =>
  tables
    .selectFrom(unnest('requested', given, { prefix: 'text' }))
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
    const rows = await readNewest(sql, { prefix: prefixes, size: `${size}` });
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

interface WrittenTiles {
  readonly size: string;
  /** The tiles, one after another. */
  readonly bytes: Buffer;
  readonly prefix: ArrayOf<string>;
  /** The length of each tile in bytes. */
  readonly length: ArrayOf<number>;
}

const insertTiles = statement((given: Given<WrittenTiles>) =>
  insertRows(
    tables,
    'order_index_tiles',
    tables.selectFrom(unnestNumbered('w', given, { prefix: 'text', length: 'int' })),
    ({ fn, ref }) => {
      const length = ref('w.length');
      const end = fn.sum<string>(length).over((over) => over.orderBy('w.n'));
      return {
        prefix: ref('w.prefix'),
        size: given.size,
        tile: fragment<Buffer>`substr(${given.bytes}::bytea, (1 + ${end} - ${length})::int, ${length})`,
      };
    },
  ),
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
  const prefixes = [...tiles.keys()];
  const lengths = Array.from(tiles.values(), ({ length }) => length);
  // all tiles in one value, because the driver sends an array of values as text, which takes longer
  const bytes = Buffer.concat([...tiles.values()]);
  await insertTiles(sql, { prefix: prefixes, size: `${size}`, bytes, length: lengths });
  await insertVersion(sql, { size: `${size}`, root: Buffer.from(root), prefixes });
};
