import { sameBytes } from '../bytes/concat.ts';
import { type IndexLeaf, type IndexSubtree, isLeaf, subtreeHash } from './index-subtree.ts';
import { digitOf } from './key-bits.ts';
import type { IndexTiles } from './load-tiles.ts';
import { childPrefix, emptyTile, type IndexTile, tileSubtree } from './tile.ts';

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
  const changed = new Map<string, IndexSubtree[]>();
  const tileAt = (prefix: string): IndexSubtree[] => {
    const known = changed.get(prefix) ?? [...(loaded.get(prefix) ?? emptyTile)];
    changed.set(prefix, known);
    return known;
  };
  const place = (leaf: IndexLeaf, prefix: string): void => {
    const tile = tileAt(prefix);
    const digit = digitOf(leaf.key, prefix.length);
    const held = tile[digit]!;
    if (held === null || (isLeaf(held) && sameBytes(held.key, leaf.key))) {
      tile[digit] = leaf;
      return;
    }
    const child = childPrefix(prefix, digit);
    if (isLeaf(held)) {
      // two leaves have a tile of their own; its hash follows below
      tile[digit] = pending;
      place(held, child);
    }
    place(leaf, child);
  };
  for (const leaf of leaves) place(leaf, '');
  const root = hashUpwards(changed, tileAt);
  return { root, tiles: changed };
};

/** Stands where a tile below was made and is not hashed yet. */
const pending: IndexSubtree = { hash: new Uint8Array(32) };

/** Hashes the changed tiles, the deepest first, each into its place in the one above it. */
const hashUpwards = (
  changed: ReadonlyMap<string, IndexTile>,
  tileAt: (prefix: string) => IndexSubtree[],
): Uint8Array => {
  const deepestFirst = [...changed.keys()].toSorted((a, b) => b.length - a.length);
  for (const prefix of deepestFirst) {
    if (prefix === '') continue;
    const subtree = tileSubtree(changed.get(prefix)!);
    const digit = Number.parseInt(prefix.at(-1)!, 16);
    tileAt(prefix.slice(0, -1))[digit] = subtree;
  }
  return subtreeHash(tileSubtree(tileAt('')));
};
