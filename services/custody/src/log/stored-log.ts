/**
 * Computes, reads and stores the log's tiles, and reads its leaves. Tiles have height 8 (C2SP
 * tlog-tiles): the tile (level, index) contains the hashes of the 256 subtrees of 256^level leaves
 * each, beginning at leaf index·256^(level+1). A tile only grows, so hashes that were read from it
 * never change.
 */
import { type HashesAt, nodeHash } from '@pto/custody-verifier';
import { bulkInsert, bulkStatement, execute, type Sql } from '@pto/database';
import { type Rows, tables } from '../schema/ledger-database.ts';

export const hashBytes = 32;

export const tileHeight = 8;
export const tileWidth = 1 << tileHeight;

export interface TileId {
  readonly level: number;
  readonly index: number;
}

export interface Tile extends TileId {
  /** At most 256 concatenated hashes of 32 bytes. */
  readonly hashes: Buffer;
}

/** Returns the number of hashes that a log of `size` leaves has at a level of tiles. */
export const countAt = (level: number, size: number): number =>
  Math.floor(size / tileWidth ** level);

/**
 * Returns the last, incomplete tile of each existing level, to which new hashes are appended. An
 * empty tile is not stored.
 */
export const growingTiles = (size: number): TileId[] => {
  const tiles: TileId[] = [];
  for (let level = 0; level === 0 || countAt(level, size) > 0; level++)
    tiles.push({ level, index: Math.floor(countAt(level, size) / tileWidth) });
  return tiles;
};

/**
 * Returns the tiles that change when leaf hashes are added to a log of `size` leaves: pure.
 * @param growing current content of the tiles of {@link growingTiles}; a missing tile counts as
 *   empty.
 * @throws Error if a growing tile does not have the number of hashes that `size` requires.
 */
export const extendTiles = (
  size: number,
  growing: readonly Tile[],
  leafHashes: readonly Uint8Array[],
): Tile[] => {
  const changed: Tile[] = [];
  let added = leafHashes;
  for (let level = 0; added.length > 0; level++) {
    const tail = growing.find((tile) => tile.level === level)?.hashes ?? Buffer.alloc(0);
    const count = countAt(level, size);
    if (tail.length !== (count % tileWidth) * hashBytes)
      throw new Error(`the tiles of level ${level} do not hold ${count} hashes`);
    const all = Buffer.concat([tail, ...added]);
    const full: Uint8Array[] = [];
    const tileBytes = tileWidth * hashBytes;
    for (let at = 0, index = Math.floor(count / tileWidth); at < all.length; index++) {
      const hashes = all.subarray(at, at + tileBytes);
      changed.push({ level, index, hashes });
      if (hashes.length === tileBytes) full.push(perfectRoot(hashes));
      at += tileBytes;
    }
    added = full;
  }
  return changed;
};

/** Returns the root of a perfect subtree, computed from its 2^n concatenated hashes. */
export const perfectRoot = (hashes: Uint8Array): Uint8Array => {
  if (hashes.length === hashBytes) return hashes;
  const half = hashes.length / 2;
  return nodeHash(perfectRoot(hashes.subarray(0, half)), perfectRoot(hashes.subarray(half)));
};

const selectTiles = bulkStatement({ level: 'int', tile_index: 'bigint' }, (rows) =>
  tables
    .selectFrom(rows('requested'))
    .innerJoin('log_tiles as t', (join) =>
      join
        .onRef('t.level', '=', 'requested.level')
        .onRef('t.tile_index', '=', 'requested.tile_index'),
    )
    .select(['t.level', 't.tile_index', 't.hashes']),
);

const upsertTiles = bulkInsert(tables, 'log_tiles', (insert) =>
  insert.onConflict((conflict) =>
    conflict
      .columns(['level', 'tile_index'])
      .doUpdateSet(({ ref }) => ({ hashes: ref('excluded.hashes') })),
  ),
);

export const readTiles = async (sql: Sql, requested: readonly TileId[]): Promise<Tile[]> => {
  const rows = await selectTiles(
    sql,
    requested.map(({ level, index }) => ({ level, tile_index: index })),
  );
  return rows.map(({ level, tile_index, hashes }) => ({
    level,
    index: Number(tile_index),
    hashes,
  }));
};

export const saveTiles = async (sql: Sql, tiles: readonly Tile[]): Promise<void> => {
  await upsertTiles(
    sql,
    tiles.map(({ level, index, hashes }) => ({ level, tile_index: `${index}`, hashes })),
  );
};

/**
 * Reads tiles by one statement.
 * @returns the hashes of each tile, in the order of `requested`.
 * @throws Error if a tile does not exist.
 */
export const existingTiles = async (sql: Sql, requested: readonly TileId[]): Promise<Buffer[]> => {
  const distinct = new Map(requested.map((tile) => [nameOf(tile), tile]));
  const found = await readTiles(sql, [...distinct.values()]);
  const hashes = new Map(found.map((tile) => [nameOf(tile), tile.hashes]));
  return requested.map((tile) => {
    const stored = hashes.get(nameOf(tile));
    if (!stored) throw new Error(`there is no tile ${nameOf(tile)}`);
    return stored;
  });
};

const nameOf = ({ level, index }: TileId): string => `${level}/${index}`;

/**
 * Returns a function that reads nodes of the tree. Tiles store every eighth level of the tree;
 * nodes in between are computed from the hashes below them.
 */
export const nodesOf =
  (sql: Sql): HashesAt =>
  async (nodes) => {
    const places = nodes.map(({ level: height, index }) => {
      const level = Math.floor(height / tileHeight);
      const span = 2 ** (height % tileHeight); // number of the tile's hashes below the node
      const first = index * span;
      return { tile: { level, index: Math.floor(first / tileWidth) }, first, span };
    });
    const tiles = await existingTiles(
      sql,
      places.map(({ tile }) => tile),
    );
    return places.map(({ tile, first, span }, n) => {
      const at = (first % tileWidth) * hashBytes;
      const under = tiles[n]!.subarray(at, at + span * hashBytes);
      if (under.length !== span * hashBytes)
        throw new Error(`a tile of level ${tile.level} is too short`);
      return perfectRoot(under);
    });
  };

/** Builds a query of the leaves from index `from` to before `end`, in order. */
export const leavesBetween = (from: number, end: number) =>
  tables
    .selectFrom('log_leaves')
    .where('leaf_index', '>=', `${from}`)
    .where('leaf_index', '<', `${end}`)
    .orderBy('leaf_index');

/**
 * Reads the log's leaves from index `from` to before `end`, in order.
 * @throws Error if a leaf is missing.
 */
export const loggedLeaves = async (
  sql: Sql,
  from: number,
  end: number,
): Promise<Pick<Rows['log_leaves'], 'order_id' | 'sequence' | 'event_hash'>[]> => {
  const query = leavesBetween(from, end).select(['order_id', 'sequence', 'event_hash']);
  const leaves = await execute(sql, query);
  if (leaves.length !== end - from) throw new Error(`the log lacks leaves from ${from} to ${end}`);
  return leaves;
};
