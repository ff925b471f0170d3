/**
 * Encoding of a tile: two bits for each of its 16 subtrees (0 empty, 1 leaf, 2 node), in 4 bytes,
 * the first subtree in the most significant bits; then key and value hash of each leaf and the hash
 * of each node, in order; then the hash of each quarter with at least two leaves.
 */
import { Rejection } from '../rejection.ts';
import { type IndexSubtree, isLeaf, isNode } from './index-subtree.ts';
import { digitOf } from './key-bits.ts';
import { type IndexTile, tileQuarters, tileSubtrees } from './tile.ts';

export const encodeTile = (tile: IndexTile): Uint8Array => {
  const bytes = new Uint8Array(tileLength(tile));
  writeTile(tile, bytes, 0);
  return bytes;
};

/** Returns the encoded length of a tile in bytes. */
export const tileLength = ({ subtrees, quarters }: IndexTile): number => {
  let hashes = 0;
  for (const subtree of subtrees) hashes += subtree === null ? 0 : isLeaf(subtree) ? 2 : 1;
  for (const quarter of quarters) hashes += isNode(quarter) ? 1 : 0;
  return headBytes + hashes * hashBytes;
};

/** Encodes a tile into `bytes`, from an offset on. @returns the offset after the tile. */
export const writeTile = (
  { subtrees, quarters }: IndexTile,
  bytes: Uint8Array,
  offset: number,
): number => {
  let kinds = 0;
  let at = offset + headBytes;
  for (const subtree of subtrees) {
    kinds <<= 2;
    if (subtree === null) continue;
    if (isLeaf(subtree)) {
      kinds |= 1;
      bytes.set(subtree.key, at);
      bytes.set(subtree.value, at + hashBytes);
      at += 2 * hashBytes;
    } else {
      kinds |= 2;
      bytes.set(subtree.hash, at);
      at += hashBytes;
    }
  }
  for (const quarter of quarters)
    if (isNode(quarter)) {
      bytes.set(quarter.hash, at);
      at += hashBytes;
    }
  for (let n = 0; n < headBytes; n++) bytes[offset + n] = kinds >>> (24 - 8 * n);
  return at;
};

/**
 * Decodes a tile. Checks that the position of each leaf is the next digit of its key, because a
 * single leaf in half of a tile has the same hash at any position. Does not check hashes.
 * @throws Rejection for bytes that are not a tile of this prefix.
 */
export const decodeTile = (prefix: string, bytes: Uint8Array): IndexTile => {
  if (bytes.length % hashBytes !== headBytes) throw new Rejection('a tile has another length');
  const digits = Array.from(prefix, (digit) => Number.parseInt(digit, 16));
  const kinds = (bytes[0]! << 24) | (bytes[1]! << 16) | (bytes[2]! << 8) | bytes[3]!;
  let at = headBytes;
  const take = (): Uint8Array => {
    at += hashBytes;
    if (at > bytes.length) throw new Rejection('a tile is too short');
    return bytes.subarray(at - hashBytes, at);
  };
  const subtrees: IndexSubtree[] = [];
  for (let n = 0; n < tileSubtrees; n++) {
    const kind = (kinds >>> (30 - 2 * n)) & 3;
    if (kind === 0) subtrees.push(null);
    else if (kind === 2) subtrees.push({ hash: take() });
    else if (kind === 1) {
      const leaf = { key: take(), value: take() };
      if (digitOf(leaf.key, digits.length) !== n || !beginsWith(leaf.key, digits))
        throw new Rejection(`a leaf does not belong in the tile '${prefix}'`);
      subtrees.push(leaf);
    } else throw new Rejection('a tile has a subtree of an unknown kind');
  }
  const quarters: IndexSubtree[] = [];
  for (let n = 0; n < tileQuarters; n++) quarters.push(readQuarter(subtrees, 4 * n, take));
  if (at !== bytes.length) throw new Rejection('a tile is too long');
  return { subtrees, quarters };
};

const headBytes = 4;
const hashBytes = 32;

/**
 * Returns a quarter. Takes the hash of a quarter with at least two leaves from the bytes; any other
 * quarter follows from its subtrees and is not stored.
 */
const readQuarter = (
  subtrees: readonly IndexSubtree[],
  from: number,
  take: () => Uint8Array,
): IndexSubtree => {
  let only: IndexSubtree = null;
  for (let n = from; n < from + 4; n++) {
    const subtree = subtrees[n]!;
    if (subtree === null) continue;
    if (only !== null || isNode(subtree)) return { hash: take() };
    only = subtree;
  }
  return only;
};

const beginsWith = (key: Uint8Array, digits: readonly number[]): boolean => {
  for (let n = digits.length - 1; n >= 0; n--) if (digitOf(key, n) !== digits[n]) return false;
  return true;
};
