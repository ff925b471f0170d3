import type { Sql } from '@pto/database';
import type { Tile, TileId } from './tiles.ts';
import type { ReadTile } from './tree.ts';

interface TileRow {
  readonly level: number;
  readonly tile_index: string;
  readonly hashes: Buffer;
}

/** Returns those of the requested tiles that exist. */
export const readTiles = async (sql: Sql, tiles: readonly TileId[]): Promise<Tile[]> => {
  const rows = await sql.query<TileRow>(
    `select t.level, t.tile_index, t.hashes
     from unnest($1::int[], $2::bigint[]) as requested (level, tile_index)
     join log_tiles t using (level, tile_index)`,
    [tiles.map(({ level }) => level), tiles.map(({ index }) => index)],
  );
  return rows.map((row) => ({
    level: row.level,
    index: Number(row.tile_index),
    hashes: row.hashes,
  }));
};

/** Returns a function that reads tiles and caches them, for one traversal of the tree. */
export const tileReader = (sql: Sql): ReadTile => {
  const known = new Map<string, Promise<Uint8Array>>();
  return (tile) => {
    const name = `${tile.level}/${tile.index}`;
    const read =
      known.get(name) ??
      readTiles(sql, [tile]).then(([found]) => {
        if (!found) throw new Error(`there is no tile ${name}`);
        return found.hashes;
      });
    known.set(name, read);
    return read;
  };
};

export const saveTiles = async (sql: Sql, tiles: readonly Tile[]): Promise<void> => {
  await sql.query(
    `insert into log_tiles (level, tile_index, hashes)
     select * from unnest($1::int[], $2::bigint[], $3::bytea[])
     on conflict (level, tile_index) do update set hashes = excluded.hashes`,
    [
      tiles.map(({ level }) => level),
      tiles.map(({ index }) => index),
      tiles.map(({ hashes }) => hashes),
    ],
  );
};
