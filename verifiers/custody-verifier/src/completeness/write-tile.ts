import {
  hashesOf,
  hashLength,
  headBytes,
  isQuarterStored,
  tileQuarters,
  tileSubtrees,
} from './tile.ts';

export const hashWords = hashLength / 4;

/**
 * Subtrees whose hashes are in one array of words. A subtree is a number: four times the index of
 * its first word, plus its kind; 0 if it has no leaf.
 */
export interface TileWords {
  readonly words: Int32Array;
  /** The 16 subtrees. */
  readonly subtrees: Int32Array;
  /** The 4 quarters. */
  readonly quarters: Int32Array;
}

/**
 * Encodes a tile.
 * @param to words with space for the longest tile.
 * @param head the bytes of the first of these words.
 * @returns the number of words.
 */
export const writeTile = (
  { words, subtrees, quarters }: TileWords,
  to: Int32Array,
  head: Uint8Array,
): number => {
  let kinds = 0;
  let at = headBytes / 4;
  for (let n = 0; n < tileSubtrees; n++) {
    const subtree = subtrees[n]!;
    kinds = (kinds << 2) | (subtree & 3);
    for (let hash = 0; hash < hashesOf(subtree & 3); hash++, at += hashWords)
      copyHash(words, (subtree >> 2) + hash * hashWords, to, at);
  }
  for (let n = 0; n < tileQuarters; n++) {
    if (!isQuarterStored(kinds, n)) continue;
    copyHash(words, quarters[n]! >> 2, to, at);
    at += hashWords;
  }
  for (let n = 0; n < headBytes; n++) head[n] = kinds >>> (24 - 8 * n);
  return at;
};

/** Copies a hash. Eight assignments take half the time of `set`, and need no view of the source. */
export const copyHash = (from: Int32Array, at: number, to: Int32Array, toAt: number): void => {
  for (let n = 0; n < hashWords; n++) to[toAt + n] = from[at + n]!;
};
