import { sameBytes } from '../bytes/concat.ts';
import { type IndexLeaf, type IndexSubtree, isNode, subtreeHash } from './index-subtree.ts';
import { digitOf } from './key-bits.ts';
import type { IndexTiles } from './load-tiles.ts';
import { childPrefix, halved, subtreeAt, subtreesOf } from './tile.ts';

/** The end of the path to a key in the index. */
export interface OrderPath {
  /** The sibling hashes from the end of the path up to the root, deepest first. */
  readonly path: readonly Uint8Array[];
  /**
   * The leaf at the end of the path: the order's leaf, the leaf of another order whose key begins
   * with the same bits, or null.
   */
  readonly leaf: IndexLeaf | null;
  /** Whether the leaf is the order's own. */
  readonly included: boolean;
}

/**
 * Returns the path to a key, which proves what the index contains for an order, or that it contains
 * nothing.
 * @param tiles the tiles on the path, from `loadTiles`.
 */
export const proveOrder = (tiles: IndexTiles, key: Uint8Array): OrderPath => {
  const path: Uint8Array[] = [];
  let prefix = '';
  for (;;) {
    const levels: (readonly IndexSubtree[])[] = [subtreesOf(tiles.get(prefix)!)];
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
 * Returns the leaf of a key, or null if the index has none.
 * @param tiles the tiles on the path, from `loadTiles`.
 */
export const leafOfKey = (tiles: IndexTiles, key: Uint8Array): IndexLeaf | null => {
  for (let prefix = ''; ; ) {
    const digit = digitOf(key, prefix.length);
    const subtree = subtreeAt(tiles.get(prefix)!, digit);
    if (!isNode(subtree)) return subtree && sameBytes(subtree.key, key) ? subtree : null;
    prefix = childPrefix(prefix, digit);
  }
};

const ended = (
  path: readonly Uint8Array[],
  leaf: IndexLeaf | null,
  key: Uint8Array,
): OrderPath => ({ path, leaf, included: leaf !== null && sameBytes(leaf.key, key) });
