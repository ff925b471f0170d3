import { sha256Into } from '#sha256';
import { emptyIndexHash, leafInput, nodeInput, type PairInput } from './index-hash.ts';
import type { IndexLeaf } from './index-subtree.ts';
import {
  hashesOf,
  hashLength,
  headBytes,
  type IndexTile,
  isQuarterStored,
  kindAt,
  kindOf,
  tileBytesMax,
  tileQuarters,
  tileSubtrees,
} from './tile.ts';
import { copyHash, hashWords, writeTile } from './write-tile.ts';

/** Words for the old tile, 16 new subtrees, and 15 nodes above them. */
const wordsMax = tileBytesMax / 4 + tileSubtrees * 2 * hashWords + (tileSubtrees - 1) * hashWords;

/**
 * A tile that is being changed: its old bytes, new subtrees and new hashes, one after another in
 * one array of words. So no hash is an object. Subtrees are numbers as in `TileWords`.
 */
export class TileFrame {
  readonly #words = new Int32Array(wordsMax);
  readonly #bytes = new Uint8Array(this.#words.buffer);
  readonly #subtrees = new Int32Array(tileSubtrees);
  readonly #quarters = new Int32Array(tileQuarters);
  #changedQuarters = 0;
  /** Index of the first free word. */
  #free = 0;
  #tile = 0;

  /** Begins to change a tile. */
  open({ kinds, bytes }: IndexTile): void {
    this.#bytes.set(bytes);
    this.#free = tileBytesMax / 4;
    this.#changedQuarters = 0;
    let at = headBytes / 4;
    for (let n = 0; n < tileSubtrees; n++) {
      const kind = kindAt(kinds, n);
      this.#subtrees[n] = kind === kindOf.empty ? 0 : 4 * at + kind;
      at += hashWords * hashesOf(kind);
    }
    for (let n = 0; n < tileQuarters; n++) {
      const isStored = isQuarterStored(kinds, n);
      this.#quarters[n] = isStored ? 4 * at + kindOf.node : this.#onlyOf(4 * n);
      if (isStored) at += hashWords;
    }
  }

  kindAt(digit: number): number {
    return this.#subtrees[digit]! & 3;
  }

  /** Returns the leaf below a digit, valid until the frame opens another tile. */
  leafAt(digit: number): IndexLeaf {
    const at = this.#subtrees[digit]! & ~3;
    return {
      key: this.#bytes.subarray(at, at + hashLength),
      value: this.#bytes.subarray(at + hashLength, at + 2 * hashLength),
    };
  }

  putLeaf(digit: number, { key, value }: IndexLeaf): void {
    this.#bytes.set(key, 4 * this.#free);
    this.#bytes.set(value, 4 * this.#free + hashLength);
    this.#put(digit, 4 * this.#free + kindOf.leaf);
    this.#free += 2 * hashWords;
  }

  /** Puts the hash of a closed tile below a digit. */
  putTile(digit: number, below: TileFrame): void {
    copyHash(below.#words, below.#tile >> 2, this.#words, this.#free);
    this.#put(digit, 4 * this.#free + kindOf.node);
    this.#free += hashWords;
  }

  /** Hashes the changed quarters and the tile. */
  close(): void {
    for (let n = 0; n < tileQuarters; n++)
      if (this.#changedQuarters & (1 << n))
        this.#quarters[n] = this.#overFour(this.#subtrees, 4 * n);
    this.#tile = this.#overFour(this.#quarters, 0);
  }

  /** Returns the hash of the closed tile. */
  get hash(): Uint8Array {
    const hash = new Uint8Array(hashLength);
    this.#hashInto(new Int32Array(hash.buffer), 0, hash, 0, this.#tile);
    return hash;
  }

  /** Encodes the closed tile, as `writeTile`. */
  write(to: Int32Array, head: Uint8Array): number {
    const [words, subtrees, quarters] = [this.#words, this.#subtrees, this.#quarters];
    return writeTile({ words, subtrees, quarters }, to, head);
  }

  #put(digit: number, subtree: number): void {
    this.#subtrees[digit] = subtree;
    this.#changedQuarters |= 1 << (digit >> 2);
  }

  /** Returns the only leaf of four subtrees, or 0. */
  #onlyOf(from: number): number {
    const of = this.#subtrees;
    return of[from]! | of[from + 1]! | of[from + 2]! | of[from + 3]!;
  }

  #overFour(of: Int32Array, from: number): number {
    const left = this.#joined(of[from]!, of[from + 1]!);
    return this.#joined(left, this.#joined(of[from + 2]!, of[from + 3]!));
  }

  /** As `joined` of index-subtree.ts. */
  #joined(left: number, right: number): number {
    if (left === 0 && (right & 3) !== kindOf.node) return right;
    if (right === 0 && (left & 3) === kindOf.leaf) return left;
    const { message, words } = nodeInput;
    this.#hashInto(words, 0, message, message.length - 2 * hashLength, left);
    this.#hashInto(words, hashWords, message, message.length - hashLength, right);
    sha256Into(message, this.#bytes, 4 * this.#free);
    const node = 4 * this.#free + kindOf.node;
    this.#free += hashWords;
    return node;
  }

  /** Writes the hash of a subtree, by two views of the same memory. */
  #hashInto(to: Int32Array, at: number, bytes: Uint8Array, byteAt: number, subtree: number): void {
    if (subtree === 0) bytes.set(emptyIndexHash, byteAt);
    else if ((subtree & 3) === kindOf.node) copyHash(this.#words, subtree >> 2, to, at);
    else sha256Into(this.#leafMessage(leafInput, subtree >> 2), bytes, byteAt);
  }

  #leafMessage({ message, words }: PairInput, at: number): Uint8Array {
    copyHash(this.#words, at, words, 0);
    copyHash(this.#words, at + hashWords, words, hashWords);
    return message;
  }
}
