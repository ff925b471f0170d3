import { sameBytes } from '../bytes/concat.ts';
import type { IndexLeaf } from './index-subtree.ts';
import { compareKeys, digitOf } from './key-bits.ts';
import type { IndexTiles } from './load-tiles.ts';
import { childPrefix, emptyTile, type IndexTile, kindOf, tileBytesMax } from './tile.ts';
import { TileFrame } from './tile-frame.ts';

/** The index after a batch of leaves. */
export interface UpdatedIndex {
  readonly root: Uint8Array;
  /**
   * New and changed tiles, encoded, by prefix: each tile before the one above it. Tiles share their
   * memory: copy a tile that is retained.
   */
  readonly tiles: ReadonlyMap<string, Uint8Array>;
}

/**
 * Adds leaves to the index, or replaces leaves with the same keys. Pure.
 * @param loaded the tiles on the paths to the keys of all these leaves, from `loadTiles`.
 * @param leaves the new leaves; no two of them have the same key.
 */
export const updateTiles = (loaded: IndexTiles, leaves: readonly IndexLeaf[]): UpdatedIndex => {
  const update = new TileUpdate(loaded);
  const sorted = leaves.toSorted((a, b) => compareKeys(a.key, b.key));
  const top = update.extend('', loaded.get('') ?? emptyTile, sorted);
  return { root: top.hash, tiles: update.tiles };
};

const chunkBytes = 256 * 1024;

/** Changes tiles from the deepest to the root's, each once. */
class TileUpdate {
  readonly tiles = new Map<string, Uint8Array>();
  readonly #loaded: IndexTiles;
  /** A frame for each level, because a tile stays open while the tiles below it change. */
  readonly #frames: TileFrame[] = [];
  /** Memory for encoded tiles, and the number of its bytes that are used. */
  #chunk = new Uint8Array(0);
  #used = 0;

  constructor(loaded: IndexTiles) {
    this.#loaded = loaded;
  }

  /**
   * Adds leaves to a tile and to the tiles below it.
   * @param leaves in the order of their keys.
   */
  extend(prefix: string, tile: IndexTile, leaves: readonly IndexLeaf[]): TileFrame {
    const depth = prefix.length;
    this.#frames[depth] ??= new TileFrame();
    const frame = this.#frames[depth];
    frame.open(tile);
    for (let [from, to] = [0, 0]; from < leaves.length; from = to) {
      const digit = digitOf(leaves[from]!.key, depth);
      while (to < leaves.length && digitOf(leaves[to]!.key, depth) === digit) to++;
      this.#place(frame, prefix, digit, leaves.slice(from, to));
    }
    frame.close();
    this.tiles.set(prefix, this.#encode(frame));
    return frame;
  }

  /** Puts leaves whose keys have the same next digit into a tile, or into a tile below it. */
  #place(frame: TileFrame, prefix: string, digit: number, leaves: readonly IndexLeaf[]): void {
    const kind = frame.kindAt(digit);
    const child = childPrefix(prefix, digit);
    if (kind === kindOf.node) {
      frame.putTile(digit, this.extend(child, this.#loaded.get(child) ?? emptyTile, leaves));
      return;
    }
    const held = kind === kindOf.leaf ? frame.leafAt(digit) : null;
    const others =
      held && leaves.every(({ key }) => !sameBytes(key, held.key)) ? [...leaves, held] : leaves;
    if (others.length === 1) {
      frame.putLeaf(digit, others[0]!);
      return;
    }
    // two leaves at one position need a tile below it
    const sorted = others.toSorted((a, b) => compareKeys(a.key, b.key));
    frame.putTile(digit, this.extend(child, emptyTile, sorted));
  }

  #encode(frame: TileFrame): Uint8Array {
    if (this.#chunk.length - this.#used < tileBytesMax) {
      this.#chunk = new Uint8Array(chunkBytes);
      this.#used = 0;
    }
    const from = this.#used;
    const words = new Int32Array(this.#chunk.buffer, from, tileBytesMax / 4);
    this.#used += 4 * frame.write(words, this.#chunk.subarray(from, from + 4));
    return this.#chunk.subarray(from, this.#used);
  }
}
