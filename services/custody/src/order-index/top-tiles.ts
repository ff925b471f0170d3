import type { IndexTile, IndexTiles, ReadIndexTiles } from '@pto/custody-verifier';

/** Tiles with prefixes of at most so many digits are held: 4,369 tiles, about 20 MB. */
const digitsMax = 3;

/**
 * Holds the upper tiles of the index that this process stored last: every update reads most of
 * them. The index over a number of leaves is a function of the log alone, so tiles of the size that
 * the database names are right, also if a transaction was rolled back or another process stored it.
 */
export class TopTiles {
  #size = -1;
  readonly #tiles = new Map<string, IndexTile>();

  /** Reads tiles of the index over `size` leaves: from memory, or by `read`. */
  reader(size: number, read: ReadIndexTiles): ReadIndexTiles {
    if (size !== this.#size) this.#tiles.clear();
    return async (prefixes) => {
      const absent = prefixes.filter((prefix) => !this.#tiles.has(prefix));
      const found = new Map(absent.length > 0 ? await read(absent) : []);
      for (const prefix of prefixes) {
        const tile = this.#tiles.get(prefix);
        if (tile) found.set(prefix, tile);
      }
      return found;
    };
  }

  /** Holds the tiles that the index over `size` leaves changed. */
  hold(size: number, changed: IndexTiles): void {
    this.#size = size;
    for (const [prefix, tile] of changed)
      if (prefix.length <= digitsMax) this.#tiles.set(prefix, tile);
  }
}
