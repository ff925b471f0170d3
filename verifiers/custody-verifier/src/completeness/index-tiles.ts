/**
 * Tiles of the order index, four levels each. The tile of a prefix (the hexadecimal digits with
 * which its keys begin) contains the 16 subtrees below it and the 4 quarters in the middle, so that
 * a changed subtree costs 6 hashes instead of 15. A tile other than the root's has at least two
 * leaves below it.
 *
 * Encoding: two bits for each of the 16 subtrees (0 empty, 1 leaf, 2 node), in 4 bytes, the first
 * subtree in the most significant bits; then key and value hash of each leaf and the hash of each
 * node, in order; then the hash of each quarter with at least two leaves.
 */
import { sameBytes, toHex } from '../bytes.ts';
import { Rejection } from '../rejection.ts';
import {
  digitOf,
  type IndexLeaf,
  type IndexSubtree,
  isLeaf,
  isNode,
  keyBits,
  overFour,
  subtreeHash,
} from './order-index.ts';

export interface IndexTile {
  /** The 16 subtrees, by the next digit of their keys. */
  readonly subtrees: readonly IndexSubtree[];
  /** The 4 subtrees over four of them each. */
  readonly quarters: readonly IndexSubtree[];
}

/** Tiles of the order index, by the hexadecimal digits with which their keys begin. */
export type IndexTiles = ReadonlyMap<string, IndexTile>;

/** Reads encoded tiles by their prefixes. The result omits tiles that are not stored. */
export type ReadIndexTiles = (
  prefixes: readonly string[],
) => Promise<ReadonlyMap<string, Uint8Array>>;

/** The index after a batch of leaves. */
export interface UpdatedIndex {
  readonly root: Uint8Array;
  /** New and changed tiles, encoded, by prefix: each tile before the one above it. */
  readonly tiles: ReadonlyMap<string, Uint8Array>;
}

const headBytes = 4;
const hashLength = 32;
/** The length of a tile of 16 leaves, the longest. */
const tileBytesMax = headBytes + hashLength * (2 * 16 + 4);
const quarterNumbers = [0, 1, 2, 3];

const emptyTile: IndexTile = {
  subtrees: Array.from({ length: 16 }, () => null),
  quarters: quarterNumbers.map(() => null),
};

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
  let wanted = new Map([['', { keys: [...keys], hash: root }]]);
  for (let depth = 0; wanted.size > 0; depth++) {
    if (depth === keyBits / 4) throw new Rejection('the index is deeper than its keys');
    const stored = await read([...wanted.keys()]);
    const below: typeof wanted = new Map();
    for (const [prefix, { keys: within, hash }] of wanted) {
      const tile = openTile(prefix, stored.get(prefix));
      if (hash && !isTileOf(tile, hash))
        throw new Rejection(`the index tile '${prefix}' is not the one that its root commits to`);
      loaded.set(prefix, tile);
      for (const key of within) {
        const digit = digitOf(key, depth);
        const subtree = tile.subtrees[digit]!;
        if (!isNode(subtree)) continue;
        const child = childPrefix(prefix, digit);
        const known = below.get(child);
        if (known) known.keys.push(key);
        else below.set(child, { keys: [key], hash: root && subtree.hash });
      }
    }
    wanted = below;
  }
  return loaded;
};

/**
 * Returns the leaf of a key, or null if the index has none.
 * @param tiles the tiles on the path, from `loadTiles`.
 */
export const leafOfKey = (tiles: IndexTiles, key: Uint8Array): IndexLeaf | null => {
  for (let prefix = ''; ; ) {
    const digit = digitOf(key, prefix.length);
    const subtree = tiles.get(prefix)!.subtrees[digit]!;
    if (!isNode(subtree)) return subtree && sameBytes(subtree.key, key) ? subtree : null;
    prefix = childPrefix(prefix, digit);
  }
};

/**
 * Adds leaves to the index, or replaces leaves with the same keys. Pure.
 * @param loaded the tiles on the paths to the keys of all these leaves, from `loadTiles`.
 * @param leaves the new leaves; no two of them have the same key.
 */
export const updateTiles = (loaded: IndexTiles, leaves: readonly IndexLeaf[]): UpdatedIndex => {
  const tiles = new Map<string, Uint8Array>();
  /** Adds leaves to a tile and to the tiles below it. @returns the subtree of the tile. */
  const extend = (prefix: string, added: readonly IndexLeaf[]): IndexSubtree => {
    const before = loaded.get(prefix) ?? emptyTile;
    const [subtrees, quarters] = [[...before.subtrees], [...before.quarters]];
    const byDigit: IndexLeaf[][] = [];
    for (const leaf of added) {
      const digit = digitOf(leaf.key, prefix.length);
      byDigit[digit] ??= [];
      byDigit[digit].push(leaf);
    }
    const changed = new Set<number>();
    byDigit.forEach((of, digit) => {
      changed.add(digit >> 2);
      const held = subtrees[digit]!;
      const stays = isLeaf(held) && !of.some(({ key }) => sameBytes(key, held.key));
      const placed = stays ? [...of, held] : of;
      // two leaves at one position need a tile below it
      subtrees[digit] =
        isNode(held) || placed.length > 1 ? extend(childPrefix(prefix, digit), placed) : placed[0]!;
    });
    for (const n of changed) quarters[n] = overFour(subtrees, 4 * n);
    tiles.set(prefix, encodeTile({ subtrees, quarters }));
    return overFour(quarters, 0);
  };
  return { root: subtreeHash(extend('', leaves)), tiles };
};

/** Returns the prefix of the tile below a digit. */
export const childPrefix = (prefix: string, digit: number): string =>
  prefix + '0123456789abcdef'[digit];

const encodeTile = ({ subtrees, quarters }: IndexTile): Uint8Array => {
  const bytes = new Uint8Array(tileBytesMax);
  let at = headBytes;
  const put = (hash: Uint8Array) => {
    bytes.set(hash, at);
    at += hashLength;
  };
  for (const [n, subtree] of subtrees.entries()) {
    if (subtree === null) continue;
    bytes[n >> 2]! |= (isLeaf(subtree) ? 1 : 2) << (6 - 2 * (n & 3));
    if (isLeaf(subtree)) {
      put(subtree.key);
      put(subtree.value);
    } else put(subtree.hash);
  }
  for (const quarter of quarters) if (isNode(quarter)) put(quarter.hash);
  return bytes.slice(0, at);
};

/**
 * Decodes a tile. The root's tile may be missing, because an index without leaves stores no tile.
 * Checks that the position of each leaf is the next digit of its key, because a single leaf in half
 * of a tile has the same hash at any position. Does not check hashes.
 * @throws Rejection for any other missing tile, or for bytes that are not a tile of this prefix.
 */
const openTile = (prefix: string, bytes: Uint8Array | undefined): IndexTile => {
  if (!bytes && prefix === '') return emptyTile;
  if (!bytes) throw new Rejection(`the index lacks the tile '${prefix}'`);
  let at = headBytes;
  const nextHash = (): Uint8Array => {
    at += hashLength;
    if (at > bytes.length) throw new Rejection('a tile is too short');
    return bytes.subarray(at - hashLength, at);
  };
  const subtrees = emptyTile.subtrees.map((_, n): IndexSubtree => {
    const kind = (bytes[n >> 2]! >> (6 - 2 * (n & 3))) & 3;
    if (kind === 0) return null;
    if (kind === 2) return { hash: nextHash() };
    if (kind === 3) throw new Rejection('a tile has a subtree of an unknown kind');
    const leaf = { key: nextHash(), value: nextHash() };
    if (!toHex(leaf.key.subarray(0, prefix.length / 2 + 1)).startsWith(childPrefix(prefix, n)))
      throw new Rejection(`a leaf does not belong in the tile '${prefix}'`);
    return leaf;
  });
  const quarters = quarterNumbers.map((n): IndexSubtree => {
    const [first = null, ...others] = subtrees.slice(4 * n, 4 * n + 4).filter((one) => one);
    return others.length > 0 || isNode(first) ? { hash: nextHash() } : first;
  });
  if (at !== bytes.length) throw new Rejection('a tile is too long');
  return { subtrees, quarters };
};

/**
 * Whether a tile's subtrees have this hash together, and the tile's quarters match its subtrees.
 */
const isTileOf = ({ subtrees, quarters }: IndexTile, hash: Uint8Array): boolean =>
  quarters.every((quarter, n) => {
    const over = subtreeHash(overFour(subtrees, 4 * n));
    return !isNode(quarter) || sameBytes(quarter.hash, over);
  }) && sameBytes(subtreeHash(overFour(quarters, 0)), hash);
