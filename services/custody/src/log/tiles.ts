/**
 * Tiles of height 8 (C2SP tlog-tiles). The tile (level, index) contains the hashes of the 256
 * subtrees of 256^level leaves each, beginning at leaf index·256^(level+1). A tile only grows, so
 * hashes that were read from it never change.
 */
import { nodeHash } from '@pto/custody-verifier';

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
