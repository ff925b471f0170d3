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
import { sameBytes } from '../bytes.ts';
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

/** A tile whose subtrees stay encoded: an object for each of them takes longer than their hashes. */
export interface IndexTile {
  readonly bytes: Uint8Array;
  /** Where each quarter's four subtrees begin in the bytes, and where the last ones end. */
  readonly starts: readonly number[];
  /** The 4 subtrees over four subtrees each. */
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
  /**
   * New and changed tiles, encoded, by prefix: each tile before the one above it. Tiles share their
   * memory: copy a tile that is retained.
   */
  readonly tiles: ReadonlyMap<string, Uint8Array>;
}

const headBytes = 4;
const hashLength = 32;
const [leafKind, nodeKind] = [1, 2];
/** Number of bytes of a subtree's hashes, by its kind. */
const lengths = [0, 2 * hashLength, hashLength];
/** The length of a tile of 16 leaves, the longest. */
const tileBytesMax = headBytes + hashLength * (2 * 16 + 4);
const memoryBytes = 256 * 1024;

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
        if (kindAt(tile.bytes, digit) !== nodeKind) continue;
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

/**
 * Adds leaves to the index, or replaces leaves with the same keys. Pure.
 * @param loaded the tiles on the paths to the keys of all these leaves, from `loadTiles`.
 * @param leaves the new leaves; no two of them have the same key.
 */
export const updateTiles = (loaded: IndexTiles, leaves: readonly IndexLeaf[]): UpdatedIndex => {
  const tiles = new Map<string, Uint8Array>();
  const encode = tileEncoder();
  /** Adds leaves to a tile and to the tiles below it. @returns the subtree of the tile. */
  const extend = (prefix: string, added: readonly IndexLeaf[]): IndexSubtree => {
    const byDigit: IndexLeaf[][] = [];
    for (const leaf of added) {
      const digit = digitOf(leaf.key, prefix.length);
      const of = byDigit[digit];
      if (of) of.push(leaf);
      else byDigit[digit] = [leaf];
    }
    const tile = loaded.get(prefix) ?? emptyTile;
    const quarters = [...tile.quarters];
    const changed: IndexSubtree[][] = [];
    byDigit.forEach((of, digit) => {
      const q = digit >> 2;
      changed[q] ??= fourOf(tile, q);
      changed[q][digit & 3] = place(changed[q][digit & 3]!, childPrefix(prefix, digit), of);
    });
    changed.forEach((four, q) => {
      quarters[q] = overFour(four, 0);
    });
    tiles.set(prefix, encode(tile, changed, quarters));
    return overFour(quarters, 0);
  };
  /** Puts leaves into one of the 16 positions of a tile. @returns the subtree at the position. */
  const place = (held: IndexSubtree, prefix: string, added: readonly IndexLeaf[]): IndexSubtree => {
    const stays = isLeaf(held) && !added.some(({ key }) => sameBytes(key, held.key));
    const placed = stays ? [...added, held] : added;
    // two leaves at one position need a tile below it
    return isNode(held) || placed.length > 1 ? extend(prefix, placed) : placed[0]!;
  };
  return { root: subtreeHash(extend('', leaves)), tiles };
};

/** Returns a function that encodes tiles, many in one array: an array for each costs 10 % more. */
const tileEncoder = () => {
  let [memory, at] = [new Uint8Array(0), 0];
  const put = (bytes: Uint8Array): void => {
    memory.set(bytes, at);
    at += bytes.length;
  };
  /** @returns the kind of the subtree. */
  const putSubtree = (subtree: IndexSubtree): number => {
    if (subtree === null) return 0;
    if (isNode(subtree)) {
      put(subtree.hash);
      return nodeKind;
    }
    put(subtree.key);
    put(subtree.value);
    return leafKind;
  };
  /**
   * Encodes a tile.
   * @param before the tile before the change.
   * @param changed the subtrees of each changed quarter, by its index.
   * @param quarters the quarters after the change.
   */
  return (
    before: IndexTile,
    changed: readonly IndexSubtree[][],
    quarters: readonly IndexSubtree[],
  ): Uint8Array => {
    if (memory.length - at < tileBytesMax) [memory, at] = [new Uint8Array(memoryBytes), 0];
    const from = at;
    put(before.bytes.subarray(0, headBytes));
    for (let q = 0; q < 4; q++) {
      const four = changed[q];
      if (!four) put(before.bytes.subarray(before.starts[q], before.starts[q + 1]));
      else
        memory[from + q] = four.reduce((kinds, subtree) => (kinds << 2) | putSubtree(subtree), 0);
    }
    for (const quarter of quarters) if (isNode(quarter)) put(quarter.hash);
    return memory.subarray(from, at);
  };
};

/** Returns the prefix of the tile below a digit. */
export const childPrefix = (prefix: string, digit: number): string => prefix + hexDigits[digit];

const hexDigits = '0123456789abcdef';

/** Whether the key at an offset of the bytes begins with these hexadecimal digits. */
const beginsWith = (bytes: Uint8Array, at: number, digits: string): boolean => {
  for (let n = 0; n < digits.length; n++)
    if (hexDigits[digitOf(bytes, 2 * at + n)] !== digits[n]) return false;
  return true;
};

/** Returns the kind of the subtree below a digit. */
const kindAt = (bytes: Uint8Array, digit: number): number =>
  (bytes[digit >> 2]! >> (6 - 2 * (digit & 3))) & 3;

/** Decodes the four subtrees of a quarter. */
const fourOf = ({ bytes, starts }: IndexTile, quarter: number): IndexSubtree[] => {
  const four: IndexSubtree[] = [null, null, null, null];
  let at = starts[quarter]!;
  for (let n = 0; n < 4; n++) {
    const kind = kindAt(bytes, 4 * quarter + n);
    if (kind === 0) continue;
    const hash = bytes.subarray(at, at + hashLength);
    four[n] =
      kind === nodeKind
        ? { hash }
        : { key: hash, value: bytes.subarray(at + hashLength, at + 2 * hashLength) };
    at += lengths[kind]!;
  }
  return four;
};

const subtreeAt = (tile: IndexTile, digit: number): IndexSubtree =>
  fourOf(tile, digit >> 2)[digit & 3]!;

/** Returns the 16 subtrees of a tile, by the next digit of their keys. */
export const subtreesOf = (tile: IndexTile): IndexSubtree[] =>
  [0, 1, 2, 3].flatMap((quarter) => fourOf(tile, quarter));

/**
 * Opens an encoded tile. The root's tile may be missing, because an index without leaves stores no
 * tile. Checks that the position of each leaf is the next digit of its key, because a single leaf
 * in half of a tile has the same hash at any position. Does not check hashes.
 * @throws Rejection for any other missing tile, or for bytes that are not a tile of this prefix.
 */
const openTile = (prefix: string, stored: Uint8Array | undefined): IndexTile => {
  if (!stored && prefix === '') return emptyTile;
  if (!stored) throw new Rejection(`the index lacks the tile '${prefix}'`);
  // views of Node's subclass Buffer take several times as long
  const bytes = new Uint8Array(stored.buffer, stored.byteOffset, stored.length);
  const tile = { bytes, starts: [headBytes], quarters: [] as IndexSubtree[] };
  let at = headBytes;
  for (let digit = 0; digit < 16; digit++) {
    const kind = kindAt(bytes, digit);
    if (kind > nodeKind) throw new Rejection('a tile has a subtree of an unknown kind');
    if (at + lengths[kind]! > bytes.length) throw new Rejection('a tile is too short');
    if (kind === leafKind && !beginsWith(bytes, at, childPrefix(prefix, digit)))
      throw new Rejection(`a leaf does not belong in the tile '${prefix}'`);
    at += lengths[kind]!;
    if (digit % 4 === 3) tile.starts.push(at);
  }
  for (let q = 0; q < 4; q++) {
    const hasNode = (bytes[q]! & 0b10101010) !== 0;
    if (hasNode || tile.starts[q + 1]! - tile.starts[q]! > 2 * hashLength) {
      tile.quarters.push({ hash: bytes.subarray(at, at + hashLength) });
      at += hashLength;
    } else tile.quarters.push(fourOf(tile, q).find((only) => only) ?? null);
  }
  if (at > bytes.length) throw new Rejection('a tile is too short');
  if (at !== bytes.length) throw new Rejection('a tile is too long');
  return tile;
};

const emptyTile: IndexTile = openTile('', new Uint8Array(headBytes));

/**
 * Whether a tile's subtrees have this hash together, and the tile's quarters match its subtrees.
 */
const isTileOf = (tile: IndexTile, hash: Uint8Array): boolean =>
  tile.quarters.every((quarter, q) => {
    const over = subtreeHash(overFour(fourOf(tile, q), 0));
    return !isNode(quarter) || sameBytes(quarter.hash, over);
  }) && sameBytes(subtreeHash(overFour(tile.quarters, 0)), hash);
