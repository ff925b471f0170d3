import {
  emptyIndexHash,
  type IndexLeaf,
  loadTiles,
  type OrderPath,
  proveOrder,
  type ReadIndexTiles,
  updateTiles,
} from '../../src/index.ts';

/** An index in memory that stores each version of its tiles, as custody does. */
export const memoryIndex = () => {
  /** The newest tiles. */
  const stored = new Map<string, Uint8Array>();
  const versions = new Map<string, { version: number; tile: Uint8Array }[]>();
  /** By version: 0 is the empty index. */
  const roots: Uint8Array[] = [emptyIndexHash];
  const read: ReadIndexTiles = async (prefixes) =>
    new Map(
      prefixes.flatMap((prefix) => (stored.has(prefix) ? [[prefix, stored.get(prefix)!]] : [])),
    );
  const readAt =
    (version: number): ReadIndexTiles =>
    async (prefixes) =>
      new Map(
        prefixes.flatMap((prefix) => {
          const held = versions.get(prefix)?.findLast((each) => each.version <= version);
          return held ? [[prefix, held.tile]] : [];
        }),
      );
  return {
    stored,
    roots,
    readAt,
    /** @returns the new root. */
    update: async (leaves: readonly IndexLeaf[], root: Uint8Array | null = null) => {
      const keys = leaves.map(({ key }) => key);
      const updated = updateTiles(await loadTiles(read, keys, root), leaves);
      for (const [prefix, tile] of updated.tiles) {
        stored.set(prefix, tile);
        versions.set(prefix, [
          ...(versions.get(prefix) ?? []),
          { version: roots.length, tile: stored.get(prefix)! },
        ]);
      }
      roots.push(updated.root);
      return updated.root;
    },
    prove: async (key: Uint8Array, version: number): Promise<OrderPath> =>
      proveOrder(await loadTiles(readAt(version), [key], roots[version]!), key),
  };
};
