import type { ReadIndexTiles, UpdatedIndex } from '@pto/custody-verifier';

/** Maximum length of the prefixes of cached tiles, in digits: 4,369 tiles, at most 5 MB. */
const digitsMax = 3;

/**
 * Caches the upper tiles of the index that this process stored last, because every update reads
 * most of them. The tiles of the index over `size` leaves depend only on the first `size` leaves of
 * the log. So the cached tiles are correct whenever the database names an index of the same size,
 * even if this process's transaction was rolled back or another process stored that index.
 */
export class TopTiles {
  #size = -1;
  readonly #tiles = new Map<string, Uint8Array>();

  /**
   * Returns a function that reads tiles of the index over `size` leaves from the cache, or by
   * `read`.
   */
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

  /** Caches those upper tiles that changed when the index was extended to `size` leaves. */
  hold(size: number, changed: UpdatedIndex['tiles']): void {
    this.#size = size;
    for (const [prefix, tile] of changed)
      if (prefix.length <= digitsMax) this.#tiles.set(prefix, tile.slice());
  }
}
