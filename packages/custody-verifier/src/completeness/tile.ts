/**
 * Tiles of the order index: four levels each. The tile of a prefix (hexadecimal digits that the keys
 * in it begin with) holds the 16 subtrees below it. A tile other than the root's has at least two
 * leaves in its subtrees.
 */
import { concat } from '../bytes/concat.ts';
import { Refused } from '../refused.ts';
import { type IndexSubtree, isLeaf, joined } from './index-subtree.ts';
import { digitOf } from './key-bits.ts';

/** 16 subtrees, by the next digit of their keys. */
export type IndexTile = readonly IndexSubtree[];

/** Reads stored tiles by their prefixes; a tile that is not stored is missing in the result. */
export type ReadIndexTiles = (
  prefixes: readonly string[],
) => Promise<ReadonlyMap<string, Uint8Array>>;

export const tileSlots = 16;

export const emptyTile: IndexTile = Array.from({ length: tileSlots }, () => null);

/** The prefix of the tile below a digit. */
export const childPrefix = (prefix: string, digit: number): string => prefix + digit.toString(16);

/** The subtree that a tile is. */
export const tileSubtree = (tile: IndexTile): IndexSubtree => {
  let level: readonly IndexSubtree[] = tile;
  while (level.length > 1) level = halved(level);
  return level[0]!;
};

/** The subtrees one level up: each over two of these. */
export const halved = (level: readonly IndexSubtree[]): IndexSubtree[] =>
  Array.from({ length: level.length / 2 }, (_, n) => joined(level[2 * n]!, level[2 * n + 1]!));

/**
 * A tile's bytes: two bits for each subtree (0 empty, 1 leaf, 2 node), in 4 bytes, the first subtree
 * in the most significant bits; then key and value hash of each leaf, and the hash of each node.
 */
export const encodeTile = (tile: IndexTile): Uint8Array => {
  let kinds = 0;
  for (const subtree of tile)
    kinds = (kinds << 2) | (subtree === null ? 0 : isLeaf(subtree) ? 1 : 2);
  const head = new Uint8Array(4);
  new DataView(head.buffer).setInt32(0, kinds);
  const parts = tile.flatMap((subtree) => {
    if (subtree === null) return [];
    return isLeaf(subtree) ? [subtree.key, subtree.value] : [subtree.hash];
  });
  return concat(head, ...parts);
};

/**
 * Reads a tile. A leaf alone in half a tile has the same hash in either place, so the place is
 * checked here: it is the next digit of the leaf's key.
 * @throws Refused for bytes that are not the tile of this prefix.
 */
export const decodeTile = (prefix: string, bytes: Uint8Array): IndexTile => {
  if (bytes.length < 4) throw new Refused('a tile of the index has at least 4 bytes');
  const kinds = (bytes[0]! << 24) | (bytes[1]! << 16) | (bytes[2]! << 8) | bytes[3]!;
  const digits = Array.from(prefix, (digit) => Number.parseInt(digit, 16));
  let at = 4;
  const take = (): Uint8Array => {
    at += 32;
    return bytes.subarray(at - 32, at);
  };
  const tile = Array.from({ length: tileSlots }, (_, n): IndexSubtree => {
    const kind = (kinds >>> (30 - 2 * n)) & 3;
    if (kind === 0) return null;
    if (kind === 3) throw new Refused('a tile of the index has a subtree of unknown kind');
    if (kind === 2) return { hash: take() };
    const leaf = { key: take(), value: take() };
    if (digitOf(leaf.key, digits.length) !== n || !beginsWith(leaf.key, digits))
      throw new Refused(`a leaf of the index does not belong in the tile '${prefix}'`);
    return leaf;
  });
  if (at !== bytes.length) throw new Refused('a tile of the index has another length');
  return tile;
};

const beginsWith = (key: Uint8Array, digits: readonly number[]): boolean => {
  for (let n = digits.length - 1; n >= 0; n--) if (digitOf(key, n) !== digits[n]) return false;
  return true;
};
