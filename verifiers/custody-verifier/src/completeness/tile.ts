/**
 * Tiles of the order index, four levels each. The tile of a prefix (the hexadecimal digits with
 * which its keys begin) contains the 16 subtrees below it and the 4 quarters in the middle, so that
 * a changed subtree costs 6 hashes instead of 15. A tile other than the root's has at least two
 * leaves below it.
 */
import { type IndexSubtree, joined } from './index-subtree.ts';

export interface IndexTile {
  /** 16 subtrees, by the next digit of their keys. */
  readonly subtrees: readonly IndexSubtree[];
  /** 4 quarters, each over four of the subtrees. */
  readonly quarters: readonly IndexSubtree[];
}

/**
 * Reads tiles by their prefixes, encoded or decoded. The result omits tiles that are not stored.
 */
export type ReadIndexTiles = (
  prefixes: readonly string[],
) => Promise<ReadonlyMap<string, Uint8Array | IndexTile>>;

export const tileSubtrees = 16;
export const tileQuarters = 4;

const nothing = (length: number): null[] => Array.from({ length }, () => null);

export const emptyTile: IndexTile = {
  subtrees: nothing(tileSubtrees),
  quarters: nothing(tileQuarters),
};

/** Returns the prefix of the tile below a digit. */
export const childPrefix = (prefix: string, digit: number): string =>
  prefix + '0123456789abcdef'[digit];

/** Returns the subtree that a tile represents. */
export const tileSubtree = ({ quarters }: IndexTile): IndexSubtree => overFour(quarters, 0);

/** Computes a quarter from its four subtrees. */
export const quarterOf = (subtrees: readonly IndexSubtree[], quarter: number): IndexSubtree =>
  overFour(subtrees, 4 * quarter);

/** Returns the subtrees one level up, each over two neighbors of the given level. */
export const halved = (level: readonly IndexSubtree[]): IndexSubtree[] =>
  Array.from({ length: level.length / 2 }, (_, n) => joined(level[2 * n]!, level[2 * n + 1]!));

const overFour = (level: readonly IndexSubtree[], from: number): IndexSubtree =>
  joined(joined(level[from]!, level[from + 1]!), joined(level[from + 2]!, level[from + 3]!));
