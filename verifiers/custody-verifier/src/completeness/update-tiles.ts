import { sameBytes } from '../bytes/concat.ts';
import { type IndexLeaf, type IndexSubtree, isLeaf, subtreeHash } from './index-subtree.ts';
import { digitOf } from './key-bits.ts';
import type { IndexTiles } from './load-tiles.ts';
import { childPrefix, emptyTile, type IndexTile, quarterOf, tileSubtree } from './tile.ts';

/** The index after a batch of leaves. */
export interface UpdatedIndex {
  readonly root: Uint8Array;
  /** New and changed tiles, by prefix. */
  readonly tiles: IndexTiles;
}

/**
 * Adds leaves to the index, or replaces leaves with the same keys. Pure.
 * @param loaded the tiles on the paths to the keys of all these leaves, from `loadTiles`.
 * @param leaves the new leaves; no two of them have the same key.
 */
export const updateTiles = (loaded: IndexTiles, leaves: readonly IndexLeaf[]): UpdatedIndex => {
  const changing = new Map<string, ChangingTile>();
  const tileAt = (prefix: string): ChangingTile => {
    const known = changing.get(prefix);
    if (known) return known;
    const { subtrees, quarters } = loaded.get(prefix) ?? emptyTile;
    const tile = { subtrees: [...subtrees], quarters: [...quarters], changedQuarters: 0 };
    changing.set(prefix, tile);
    return tile;
  };
  for (const leaf of leaves) place(leaf, '', tileAt);
  const deepestFirst = [...changing].sort(([a], [b]) => b.length - a.length);
  for (const [prefix, tile] of deepestFirst) {
    for (let quarter = 0; quarter < 4; quarter++)
      if (tile.changedQuarters & (1 << quarter))
        tile.quarters[quarter] = quarterOf(tile.subtrees, quarter);
    if (prefix !== '')
      put(tileAt(prefix.slice(0, -1)), Number.parseInt(prefix.at(-1)!, 16), tileSubtree(tile));
  }
  return { root: subtreeHash(tileSubtree(tileAt(''))), tiles: changing };
};

interface ChangingTile extends IndexTile {
  readonly subtrees: IndexSubtree[];
  readonly quarters: IndexSubtree[];
  /** Bit mask of the quarters with changed subtrees. */
  changedQuarters: number;
}

const put = (tile: ChangingTile, digit: number, subtree: IndexSubtree): void => {
  tile.subtrees[digit] = subtree;
  tile.changedQuarters |= 1 << (digit >> 2);
};

/**
 * Puts a leaf into the deepest tile on its path. The tiles above are updated when the tile is
 * hashed.
 */
const place = (leaf: IndexLeaf, prefix: string, tileAt: (prefix: string) => ChangingTile): void => {
  const tile = tileAt(prefix);
  const digit = digitOf(leaf.key, prefix.length);
  const held = tile.subtrees[digit]!;
  if (held === null || (isLeaf(held) && sameBytes(held.key, leaf.key))) {
    put(tile, digit, leaf);
    return;
  }
  const child = childPrefix(prefix, digit);
  if (isLeaf(held)) {
    // two leaves at one position need a tile below it
    put(tile, digit, pending);
    place(held, child, tileAt);
  }
  place(leaf, child, tileAt);
};

/** Placeholder for the subtree of a new tile that is not hashed yet. */
const pending: IndexSubtree = { hash: new Uint8Array(32) };
