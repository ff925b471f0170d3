/**
 * Tiles of the order index, four levels each. The tile of a prefix (the hexadecimal digits with
 * which its keys begin) contains the 16 subtrees below it and the 4 quarters in the middle, so that
 * a changed subtree costs 6 hashes instead of 15. A tile other than the root's has at least two
 * leaves below it.
 *
 * Encoding: two bits for each of the 16 subtrees, in 4 bytes, the first subtree in the most
 * significant bits; then key and value hash of each leaf and the hash of each node, in order; then
 * the hash of each quarter with at least two leaves. A tile stays encoded while it is read: objects
 * for its hashes would take several times the time of hashing.
 */
import { type IndexSubtree, joined } from './index-subtree.ts';

/** A well-formed tile, from `openTile`. */
export interface IndexTile {
  /** The kinds of the 16 subtrees, two bits each, as encoded. */
  readonly kinds: number;
  /** The complete encoding. */
  readonly bytes: Uint8Array;
}

/** Reads encoded tiles by their prefixes. The result omits tiles that are not stored. */
export type ReadIndexTiles = (
  prefixes: readonly string[],
) => Promise<ReadonlyMap<string, Uint8Array>>;

/** Kinds of subtrees in the encoding. */
export const kindOf = { empty: 0, leaf: 1, node: 2 } as const;

export const tileSubtrees = 16;
export const tileQuarters = 4;
export const headBytes = 4;
export const hashLength = 32;
/** The length of a tile of 16 leaves, the longest. */
export const tileBytesMax = headBytes + hashLength * (2 * tileSubtrees + tileQuarters);

export const emptyTile: IndexTile = { kinds: 0, bytes: new Uint8Array(headBytes) };

/** Returns the prefix of the tile below a digit. */
export const childPrefix = (prefix: string, digit: number): string =>
  prefix + '0123456789abcdef'[digit];

/** Returns the kind of the subtree below a digit; 3 is no kind. */
export const kindAt = (kinds: number, digit: number): number => (kinds >>> (30 - 2 * digit)) & 3;

/** Returns the number of hashes that the encoding stores for a subtree of this kind. */
export const hashesOf = (kind: number): number => (kind === kindOf.leaf ? 2 : kind >> 1);

/** Whether a quarter has at least two leaves, so that the encoding stores its hash. */
export const isQuarterStored = (kinds: number, quarter: number): boolean => {
  const four = (kinds >>> (24 - 8 * quarter)) & 0xff;
  return (four & 0xaa) !== 0 || (four & (four - 1)) !== 0;
};

/** Returns the subtree below a digit. */
export const subtreeAt = ({ kinds, bytes }: IndexTile, digit: number): IndexSubtree => {
  let at = headBytes;
  for (let n = 0; n < digit; n++) at += hashLength * hashesOf(kindAt(kinds, n));
  const hash = (nth: number) => bytes.subarray(at + nth * hashLength, at + (nth + 1) * hashLength);
  const kind = kindAt(kinds, digit);
  if (kind === kindOf.empty) return null;
  return kind === kindOf.leaf ? { key: hash(0), value: hash(1) } : { hash: hash(0) };
};

/** Returns the 16 subtrees, by the next digit of their keys. */
export const subtreesOf = (tile: IndexTile): IndexSubtree[] =>
  Array.from({ length: tileSubtrees }, (_, digit) => subtreeAt(tile, digit));

/** Returns the stored hashes of the quarters with at least two leaves, in order. */
export const storedQuarters = ({ kinds, bytes }: IndexTile): Uint8Array[] => {
  const stored = Array.from({ length: tileQuarters }, (_, n) => n).filter((n) =>
    isQuarterStored(kinds, n),
  );
  const first = bytes.length - stored.length * hashLength;
  return stored.map((_, n) => bytes.subarray(first + n * hashLength, first + (n + 1) * hashLength));
};

/** Returns the subtrees one level up, each over two neighbors of the given level. */
export const halved = (level: readonly IndexSubtree[]): IndexSubtree[] =>
  Array.from({ length: level.length / 2 }, (_, n) => joined(level[2 * n]!, level[2 * n + 1]!));
