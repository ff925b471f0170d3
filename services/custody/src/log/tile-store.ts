import { insertAll, overRows, type Sql } from '@pto/database';
import { tables } from '../schema/ledger-database.ts';
import type { Tile, TileId } from './tiles.ts';
import type { ReadTile } from './tree.ts';

const selectTiles = overRows({ level: 'int', tile_index: 'bigint' }, (rows) =>
  tables
    .selectFrom(rows('requested'))
    .innerJoin('log_tiles as t', (join) =>
      join
        .onRef('t.level', '=', 'requested.level')
        .onRef('t.tile_index', '=', 'requested.tile_index'),
    )
    .select(['t.level', 't.tile_index', 't.hashes']),
);

const upsertTiles = insertAll(tables, 'log_tiles', (insert) =>
  insert.onConflict((conflict) =>
    conflict
      .columns(['level', 'tile_index'])
      .doUpdateSet(({ ref }) => ({ hashes: ref('excluded.hashes') })),
  ),
);

/** Returns those of the requested tiles that exist. */
export const readTiles = async (sql: Sql, tiles: readonly TileId[]): Promise<Tile[]> => {
  const rows = await selectTiles(
    sql,
    tiles.map(({ level, index }) => ({ level, tile_index: index })),
  );
  return rows.map((row) => ({
    level: row.level,
    index: Number(row.tile_index),
    hashes: row.hashes,
  }));
};

/**
 * Returns a function that reads tiles and caches them, for one traversal of the tree. The function
 * rejects for a tile that does not exist.
 */
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
  await upsertTiles(
    sql,
    tiles.map(({ level, index, hashes }) => ({ level, tile_index: `${index}`, hashes })),
  );
};
