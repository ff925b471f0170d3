import { Rejection } from '../rejection.ts';
import { digitOf } from './key-bits.ts';
import {
  hashesOf,
  hashLength,
  headBytes,
  type IndexTile,
  isQuarterStored,
  kindAt,
  kindOf,
  tileQuarters,
  tileSubtrees,
} from './tile.ts';

/**
 * Returns an encoded tile as a tile. Checks that the position of each leaf is the next digit of its
 * key, because a single leaf in half of a tile has the same hash at any position. Does not check
 * hashes.
 * @throws Rejection for bytes that are not a tile of this prefix.
 */
export const openTile = (prefix: string, bytes: Uint8Array): IndexTile => {
  if (bytes.length % hashLength !== headBytes) throw new Rejection('a tile has another length');
  const kinds = (bytes[0]! << 24) | (bytes[1]! << 16) | (bytes[2]! << 8) | bytes[3]!;
  const length = lengthOf(kinds);
  if (length > bytes.length) throw new Rejection('a tile is too short');
  if (length < bytes.length) throw new Rejection('a tile is too long');
  for (let [n, at] = [0, headBytes]; n < tileSubtrees; n++) {
    const kind = kindAt(kinds, n);
    if (kind === kindOf.leaf && !isPlaced(bytes, at, prefix, n))
      throw new Rejection(`a leaf does not belong in the tile '${prefix}'`);
    at += hashLength * hashesOf(kind);
  }
  return { kinds, bytes };
};

const lengthOf = (kinds: number): number => {
  let hashes = 0;
  for (let n = 0; n < tileSubtrees; n++) {
    const kind = kindAt(kinds, n);
    if (kind > kindOf.node) throw new Rejection('a tile has a subtree of an unknown kind');
    hashes += hashesOf(kind);
  }
  for (let n = 0; n < tileQuarters; n++) if (isQuarterStored(kinds, n)) hashes++;
  return headBytes + hashes * hashLength;
};

/** Whether the key at an offset begins with the prefix and the digit. */
const isPlaced = (bytes: Uint8Array, at: number, prefix: string, digit: number): boolean => {
  const key = bytes.subarray(at, at + hashLength);
  if (digitOf(key, prefix.length) !== digit) return false;
  for (let n = prefix.length - 1; n >= 0; n--) {
    const code = prefix.charCodeAt(n);
    if (digitOf(key, n) !== (code < 0x40 ? code - 0x30 : code - 0x57)) return false;
  }
  return true;
};
