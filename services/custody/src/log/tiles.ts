/**
 * Tiles of height 8 (C2SP tlog-tiles): the tile (level, index) holds the hashes of the 256 subtrees
 * of 256^level leaves each that begin at leaf index·256^(level+1). A tile only ever grows, so what
 * one has read of it stays true.
 */
import { hashBytes, perfectRoot } from './perfect-root.ts';

export const tileHeight = 8;
export const tileWidth = 1 << tileHeight;

export interface TileId {
  readonly level: number;
  readonly index: number;
}

export interface Tile extends TileId {
  /** At most 256 hashes of 32 bytes, one behind the other. */
  readonly hashes: Buffer;
}

/** How many hashes a log of that many leaves has at a level of tiles. */
export const countAt = (level: number, size: number): number =>
  Math.floor(size / tileWidth ** level);

/** The tiles that are not full yet, which the next leaf may change: one a level. */
export const growingTiles = (size: number): TileId[] => {
  const tiles: TileId[] = [];
  for (let level = 0; level === 0 || countAt(level, size) > 0; level++)
    tiles.push({ level, index: Math.floor(countAt(level, size) / tileWidth) });
  return tiles;
};

/**
 * The tiles that change when leaf hashes are added to a log of `size` leaves: pure.
 * @param growing what the tiles of {@link growingTiles} hold now; a missing one holds nothing.
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
