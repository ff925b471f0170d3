import {
  type HashesAt,
  type NodeAt,
  proveConsistency,
  proveInclusion,
  rootOf,
} from '@pto/custody-verifier';
import { hashBytes, perfectRoot, type TileId, tileHeight, tileWidth } from './tiles.ts';

/** Returns the hashes that a tile contains so far. @throws Error for a tile that does not exist. */
export type ReadTile = (tile: TileId) => Promise<Uint8Array>;

/** Computes the root of the log's first `size` leaves (RFC 6962, 2.1). */
export const rootAt = (read: ReadTile, size: number): Promise<Uint8Array> =>
  rootOf(size, nodesIn(read));

/**
 * Returns the inclusion path of a leaf: the sibling hashes from the leaf up to the root (RFC 6962,
 * 2.1.1).
 */
export const inclusionPath = (
  read: ReadTile,
  leafIndex: number,
  size: number,
): Promise<Uint8Array[]> => proveInclusion(leafIndex, size, nodesIn(read));

/**
 * Returns the path that proves that the log of `later` leaves begins with the log of `earlier`
 * leaves (RFC 6962, 2.1.2).
 */
export const consistencyPath = async (
  read: ReadTile,
  earlier: number,
  later: number,
): Promise<Uint8Array[]> =>
  earlier === 0 || earlier === later ? [] : await proveConsistency(earlier, later, nodesIn(read));

/**
 * Returns a function that reads nodes of the tree. Tiles store every eighth level of the tree;
 * nodes in between are computed from the hashes below them.
 */
const nodesIn =
  (read: ReadTile): HashesAt =>
  (nodes) =>
    Promise.all(nodes.map((node) => nodeHashIn(read, node)));

const nodeHashIn = async (
  read: ReadTile,
  { level: height, index }: NodeAt,
): Promise<Uint8Array> => {
  const level = Math.floor(height / tileHeight);
  const span = 2 ** (height % tileHeight); // number of the tile's hashes below the node
  const first = index * span;
  const hashes = await read({ level, index: Math.floor(first / tileWidth) });
  const at = (first % tileWidth) * hashBytes;
  const under = hashes.subarray(at, at + span * hashBytes);
  if (under.length !== span * hashBytes) throw new Error(`a tile of level ${level} is too short`);
  return perfectRoot(under);
};
