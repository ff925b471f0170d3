import { sameBytes } from '../bytes/concat.ts';
import { type IndexLeaf, type IndexSubtree, isNode, subtreeHash } from './index-subtree.ts';
import { digitOf } from './key-bits.ts';
import type { IndexTiles } from './load-tiles.ts';
import { childPrefix, halved } from './tile.ts';

/** Where the way to a key ends in the index. */
export interface OrderPath {
  /** The hashes beside the way, the deepest first. */
  readonly path: readonly Uint8Array[];
  /** The leaf at the way's end: the order's, or another order's whose key begins alike, or none. */
  readonly leaf: IndexLeaf | null;
  /** Whether that leaf is the order's own. */
  readonly included: boolean;
}

/**
 * The way to a key, for a proof of what the index says of an order, or of its saying nothing.
 * @param tiles the tiles on the way: `loadTiles`.
 */
export const proveOrder = (tiles: IndexTiles, key: Uint8Array): OrderPath => {
  const path: Uint8Array[] = [];
  let prefix = '';
  for (;;) {
    const levels: (readonly IndexSubtree[])[] = [tiles.get(prefix)!.subtrees];
    while (levels.at(-1)!.length > 1) levels.push(halved(levels.at(-1)!));
    const digit = digitOf(key, prefix.length);
    for (let level = levels.length - 1; level >= 0; level--) {
      const index = digit >> level;
      const subtree = levels[level]![index]!;
      if (level < levels.length - 1) path.unshift(subtreeHash(levels[level]![index ^ 1]!));
      if (!isNode(subtree)) return ended(path, subtree, key);
    }
    prefix = childPrefix(prefix, digit);
  }
};

/**
 * The leaf of a key, or null where the index holds none.
 * @param tiles the tiles on the way: `loadTiles`.
 */
export const leafOfKey = (tiles: IndexTiles, key: Uint8Array): IndexLeaf | null => {
  for (let prefix = ''; ; ) {
    const digit = digitOf(key, prefix.length);
    const subtree = tiles.get(prefix)!.subtrees[digit]!;
    if (!isNode(subtree)) return subtree && sameBytes(subtree.key, key) ? subtree : null;
    prefix = childPrefix(prefix, digit);
  }
};

const ended = (
  path: readonly Uint8Array[],
  leaf: IndexLeaf | null,
  key: Uint8Array,
): OrderPath => ({ path, leaf, included: leaf !== null && sameBytes(leaf.key, key) });
