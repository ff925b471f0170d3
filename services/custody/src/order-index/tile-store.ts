import {
  type ReadIndexTiles,
  tileLength,
  type UpdatedIndex,
  writeTile,
} from '@pto/custody-verifier';
import type { Sql } from '@pto/database';

/** Returns a function that reads the tiles of the index over the log's first `size` leaves. */
export const indexTilesAt =
  (sql: Sql, size: number): ReadIndexTiles =>
  async (prefixes) => {
    const rows = await sql.query<{ prefix: string; tile: Buffer }>(
      `select requested.prefix, newest.tile from unnest($1::text[]) as requested (prefix)
       cross join lateral (
         select tile from order_index_tiles t
         where t.prefix = requested.prefix and t.size <= $2 order by t.size desc limit 1) newest`,
      [prefixes, size],
    );
    return new Map(rows.map(({ prefix, tile }) => [prefix, tile]));
  };

/** A stored version of the index. */
export interface IndexVersion {
  /** Number of leaves of the log that the index covers. */
  readonly size: number;
  readonly root: Uint8Array;
}

/** Returns the newest stored index; null if none is stored. */
export const newestIndex = async (sql: Sql): Promise<IndexVersion | null> => {
  const [row] = await sql.query<{ size: string; root: Buffer }>(
    'select size, root from order_index_versions order by size desc limit 1',
  );
  return row ? { size: Number(row.size), root: row.root } : null;
};

/** Stores the index over `size` leaves as a new version. Earlier versions stay readable. */
export const saveIndex = async (
  sql: Sql,
  size: number,
  { root, tiles }: UpdatedIndex,
): Promise<void> => {
  const prefixes = [...tiles.keys()];
  const lengths = Array.from(tiles.values(), tileLength);
  // all tiles in one value, because the driver sends an array of values as text, which takes longer
  const bytes = Buffer.alloc(lengths.reduce((sum, length) => sum + length, 0));
  let end = 0;
  for (const tile of tiles.values()) end = writeTile(tile, bytes, end);
  await sql.query(
    `insert into order_index_tiles (prefix, size, tile)
     select prefix, $2, substr($3::bytea, (1 + sum(length) over (order by n) - length)::int, length)
     from unnest($1::text[], $4::int[]) with ordinality as written (prefix, length, n)`,
    [prefixes, size, bytes, lengths],
  );
  await sql.query(
    'insert into order_index_versions (size, root, prefixes) values ($1, $2, $3::text[])',
    [size, Buffer.from(root), prefixes],
  );
};

/**
 * Deletes the tiles that a version has replaced, and the earlier versions. The index over fewer
 * leaves cannot be read afterwards.
 * @param size size of the version.
 * @returns the number of deleted tiles.
 */
export const deleteBefore = async (sql: Sql, size: number): Promise<number> => {
  const [row] = await sql.query<{ deleted: string }>(
    `with written as (
       select unnest(prefixes) as prefix from order_index_versions where size = $1),
     deleted as (
       delete from order_index_tiles t using written w
       where t.prefix = w.prefix and t.size < $1 returning 1),
     older as (delete from order_index_versions where size < $1),
     done as (update order_index_versions set prefixes = '{}' where size = $1)
     select count(*) as deleted from deleted`,
    [size],
  );
  return Number(row?.deleted ?? 0);
};
