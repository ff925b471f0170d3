import { sameBytes } from '../bytes/concat.ts';
import { Rejection } from '../rejection.ts';
import { isNode, subtreeHash } from './index-subtree.ts';
import { digitOf, keyDigits } from './key-bits.ts';
import { openTile } from './open-tile.ts';
import {
  childPrefix,
  emptyTile,
  halved,
  type IndexTile,
  kindAt,
  kindOf,
  type ReadIndexTiles,
  storedQuarters,
  subtreeAt,
  subtreesOf,
} from './tile.ts';

/** Tiles of the order index, by the hexadecimal digits with which their keys begin. */
export type IndexTiles = ReadonlyMap<string, IndexTile>;

/**
 * Loads the tiles on the paths to these keys, with one read per level.
 * @param root hash of the root's tile. The root's tile is verified against this hash, each other
 *   tile against the tile above it. If it is null, no tile is verified.
 * @throws Rejection for a missing, malformed or wrong tile.
 */
export const loadTiles = async (
  read: ReadIndexTiles,
  keys: readonly Uint8Array[],
  root: Uint8Array | null,
): Promise<IndexTiles> => {
  const loaded = new Map<string, IndexTile>();
  let wanted = new Map<string, Wanted>([['', { keys: [...keys], hash: root }]]);
  for (let depth = 0; wanted.size > 0; depth++) {
    if (depth === keyDigits) throw new Rejection('the index is deeper than its keys');
    const stored = await read([...wanted.keys()]);
    const below = new Map<string, Wanted>();
    for (const [prefix, { keys: within, hash }] of wanted) {
      const tile = readTile(prefix, stored.get(prefix));
      if (hash && !isTileOf(tile, hash))
        throw new Rejection(`the index tile '${prefix}' is not the one that its root commits to`);
      loaded.set(prefix, tile);
      for (const key of within) {
        const digit = digitOf(key, depth);
        if (kindAt(tile.kinds, digit) !== kindOf.node) continue;
        const child = childPrefix(prefix, digit);
        const known = below.get(child);
        if (known) known.keys.push(key);
        else below.set(child, { keys: [key], hash: root && subtreeHash(subtreeAt(tile, digit)) });
      }
    }
    wanted = below;
  }
  return loaded;
};

interface Wanted {
  readonly keys: Uint8Array[];
  readonly hash: Uint8Array | null;
}

/**
 * Whether a tile's subtrees have this hash together, and the tile's quarters match its subtrees.
 */
const isTileOf = (tile: IndexTile, hash: Uint8Array): boolean => {
  const quarters = halved(halved(subtreesOf(tile)));
  const nodes = quarters.filter(isNode);
  const [whole] = halved(halved(quarters));
  return (
    storedQuarters(tile).every((stored, n) => sameBytes(stored, nodes[n]!.hash)) &&
    sameBytes(subtreeHash(whole!), hash)
  );
};

/**
 * Returns the stored tile. The root's tile may be missing, because an index without leaves stores no
 * tile.
 * @throws Rejection for any other missing tile, or a malformed one.
 */
const readTile = (prefix: string, bytes: Uint8Array | undefined): IndexTile => {
  if (bytes) return openTile(prefix, bytes);
  if (prefix === '') return emptyTile;
  throw new Rejection(`the index lacks the tile '${prefix}'`);
};
