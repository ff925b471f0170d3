import {
  type HashesAt,
  type NodeAt,
  proveConsistency,
  proveInclusion,
  rootOf,
} from '@pto/custody-verifier';
import { hashBytes, perfectRoot } from './perfect-root.ts';
import { type TileId, tileHeight, tileWidth } from './tiles.ts';

/** What a tile holds, as far as it is filled. @throws Error for a tile that is not there */
export type ReadTile = (tile: TileId) => Promise<Uint8Array>;

/** The root of the log's first `size` leaves (RFC 6962, 2.1). */
export const rootAt = (read: ReadTile, size: number): Promise<Uint8Array> =>
  rootOf(size, nodesIn(read));

/** The hashes beside the way from a leaf up to the root, the leaf's own neighbour first (2.1.1). */
export const inclusionPath = (
  read: ReadTile,
  leafIndex: number,
  size: number,
): Promise<Uint8Array[]> => proveInclusion(leafIndex, size, nodesIn(read));

/** The path that shows that the log of `later` leaves begins with the one of `earlier` (2.1.2). */
export const consistencyPath = async (
  read: ReadTile,
  earlier: number,
  later: number,
): Promise<Uint8Array[]> =>
  earlier === 0 || earlier === later ? [] : await proveConsistency(earlier, later, nodesIn(read));

/** A tile keeps one node in eight levels; those between are hashed from what lies under them. */
const nodesIn =
  (read: ReadTile): HashesAt =>
  (nodes) =>
    Promise.all(nodes.map((node) => nodeHashIn(read, node)));

const nodeHashIn = async (
  read: ReadTile,
  { level: height, index }: NodeAt,
): Promise<Uint8Array> => {
  const level = Math.floor(height / tileHeight);
  const span = 2 ** (height % tileHeight); // so many of the tile's hashes lie under the node
  const first = index * span;
  const hashes = await read({ level, index: Math.floor(first / tileWidth) });
  const at = (first % tileWidth) * hashBytes;
  const under = hashes.subarray(at, at + span * hashBytes);
  if (under.length !== span * hashBytes) throw new Error(`a tile of level ${level} is too short`);
  return perfectRoot(under);
};
