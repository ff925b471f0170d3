import { leafHash } from '@pto/custody-verifier';
import type { Sql } from '@pto/database';
import { tileReader } from '../log/tile-store.ts';
import { hashBytes, perfectRoot, tileWidth } from '../log/tiles.ts';
import { logViolation, type Violation } from './violation.ts';

/**
 * Compares a tile of leaf hashes with its leaves. If the tile is full, also compares the tile's
 * root with the hash in the tile above. If the tile is the last of the 256 below that tile,
 * continues upwards in the same way. Returns a violation, or null.
 * @param leaves the tile's 256 leaves, or as many as the log has.
 */
export const checkTile = async (
  sql: Sql,
  index: number,
  leaves: readonly Buffer[],
): Promise<Violation | null> => {
  const read = tileReader(sql);
  const violation = (level: number, at: number) =>
    logViolation(`the tile ${level}/${at} does not hold what the leaves hash to`);
  try {
    const hashes = await read({ level: 0, index });
    const expected = Buffer.concat(leaves.map(leafHash));
    if (!expected.equals(hashes.subarray(0, expected.length))) return violation(0, index);
    if (leaves.length < tileWidth) return null;
    for (let level = 1, child = index; ; level++) {
      const under = await read({ level: level - 1, index: child });
      const parent = Math.floor(child / tileWidth);
      const place = child % tileWidth;
      const above = await read({ level, index: parent });
      const stored = above.subarray(place * hashBytes, (place + 1) * hashBytes);
      if (!Buffer.from(perfectRoot(under)).equals(stored)) return violation(level, parent);
      // only the last of 256 tiles completes the tile above
      if (place < tileWidth - 1) return null;
      child = parent;
    }
  } catch (error) {
    return logViolation((error as Error).message);
  }
};
