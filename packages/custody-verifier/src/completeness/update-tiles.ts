import { sameBytes } from '../bytes/concat.ts';
import { type IndexLeaf, type IndexSubtree, isLeaf, subtreeHash } from './index-subtree.ts';
import { digitOf } from './key-bits.ts';
import type { IndexTiles } from './load-tiles.ts';
import { childPrefix, emptyTile, type IndexTile, quarterOf, tileSubtree } from './tile.ts';

/** What a batch of leaves makes of the index. */
export interface UpdatedIndex {
  readonly root: Uint8Array;
  /** The tiles that are new or have changed, by their prefixes. */
  readonly tiles: IndexTiles;
}

/**
 * Adds leaves to the index, or replaces those of the same keys: pure.
 * @param loaded the tiles on the ways to all these keys: `loadTiles`.
 * @param leaves each key once.
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
  /** A bit for each quarter whose subtrees have changed. */
  changedQuarters: number;
}

const put = (tile: ChangingTile, digit: number, subtree: IndexSubtree): void => {
  tile.subtrees[digit] = subtree;
  tile.changedQuarters |= 1 << (digit >> 2);
};

/** Puts a leaf into the deepest tile on its way; the tiles above follow when it is hashed. */
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
    // two leaves have a tile of their own
    put(tile, digit, pending);
    place(held, child, tileAt);
  }
  place(leaf, child, tileAt);
};

/** Stands where a tile below was made that is not hashed yet. */
const pending: IndexSubtree = { hash: new Uint8Array(32) };
