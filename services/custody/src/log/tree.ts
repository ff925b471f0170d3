import { emptyRoot, hashBytes, nodeHash, perfectRoot } from './merkle.ts';
import { type TileId, tileHeight, tileWidth } from './tiles.ts';

/** What a tile holds, as far as it is filled. @throws Error for a tile that is not there */
export type ReadTile = (tile: TileId) => Promise<Uint8Array>;

/** The hash of the perfect subtree of 2^height leaves that begins at leaf index·2^height. */
const subtreeHash = async (read: ReadTile, height: number, index: number): Promise<Buffer> => {
  const level = Math.floor(height / tileHeight);
  const span = 2 ** (height % tileHeight); // so many of the tile's hashes lie under the subtree
  const first = index * span;
  const hashes = await read({ level, index: Math.floor(first / tileWidth) });
  const at = (first % tileWidth) * hashBytes;
  const under = hashes.subarray(at, at + span * hashBytes);
  if (under.length !== span * hashBytes) throw new Error(`a tile of level ${level} is too short`);
  return perfectRoot(under);
};

/** The root over the leaves from `from` up to `to`, where `from` is a multiple of their span. */
const rangeHash = async (read: ReadTile, from: number, to: number): Promise<Buffer> => {
  if (from === to) return emptyRoot();
  const count = to - from;
  const height = Math.floor(Math.log2(count));
  const left = await subtreeHash(read, height, from / 2 ** height);
  return 2 ** height === count
    ? left
    : nodeHash(left, await rangeHash(read, from + 2 ** height, to));
};

/** The root of the log's first `size` leaves (RFC 6962, 2.1). */
export const rootAt = (read: ReadTile, size: number): Promise<Buffer> => rangeHash(read, 0, size);

/** The hashes beside the way from a leaf up to the root, the leaf's own neighbour first (2.1.1). */
export const inclusionPath = async (
  read: ReadTile,
  leafIndex: number,
  size: number,
): Promise<Buffer[]> => {
  const path: Buffer[] = [];
  for (let from = 0, to = size; to - from > 1; ) {
    const half = 2 ** Math.ceil(Math.log2(to - from) - 1);
    const middle = from + half;
    if (leafIndex < middle) {
      path.push(await rangeHash(read, middle, to));
      to = middle;
    } else {
      path.push(await rangeHash(read, from, middle));
      from = middle;
    }
  }
  return path.reverse();
};
