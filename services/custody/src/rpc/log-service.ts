import { orderKey } from '@pto/custody-verifier';
import { execute, type Sql } from '@pto/database';
import { Failure } from '@pto/errors';
import { LogService } from '@pto/proto/custody/v1/custody';
import { implement } from '@pto/rpc';
import { lastCheckpoint, newestCheckpointAge } from '../checkpoints/stored-checkpoints.ts';
import { type LogKey, listKeys } from '../log/keys.ts';
import { countAt, hashBytes, leavesBetween, readTiles, tileWidth } from '../log/stored-log.ts';
import { withCosignatures } from '../witness/published.ts';

interface LogServiceOptions {
  readonly sql: Sql;
  readonly origin: string;
  /** Returns for how many seconds leaves have waited for an anchored checkpoint. */
  readonly unanchoredSeconds: () => number;
}

/** Serves the log to everyone, but only the part that a checkpoint covers. */
export const logService = ({ sql, origin, unanchoredSeconds }: LogServiceOptions) =>
  implement(LogService, {
    getCheckpoint: async () => {
      const newest = await lastCheckpoint(sql);
      if (!newest) throw notThere('checkpoint');
      return { note: (await withCosignatures(sql, newest)).note };
    },
    getTile: async ({ level, index, width, entries, orders }) => {
      const tile = { level: entries || orders ? 0 : level, index: Number(index) };
      const covered = countAt(tile.level, (await lastCheckpoint(sql))?.size ?? 0);
      if (width < 1 || width > tileWidth || tile.index * tileWidth + width > covered)
        throw notThere('tile');
      if (entries) return { tile: await readLeaves(sql, tile.index, width) };
      if (orders) return { tile: await readOrders(sql, tile.index, width) };
      const [found] = await readTiles(sql, [tile]);
      if (!found) throw notThere('tile');
      return { tile: found.hashes.subarray(0, width * hashBytes) };
    },
    listKeys: async () => ({ origin, keys: (await listKeys(sql)).map(toKey) }),
    getStatus: async () => {
      const newest = await newestCheckpointAge(sql);
      return {
        checkpointSignedAt: newest?.signedAt ?? '',
        checkpointAgeSeconds: newest?.ageSeconds ?? 0,
        unanchoredSeconds: unanchoredSeconds(),
      };
    },
  });

export const toKey = ({ validUntil, ...key }: LogKey) => ({
  ...key,
  ...(validUntil !== null && { validUntil }),
});

const notThere = (resource: string): Failure =>
  new Failure('NOT_FOUND', `There is no such ${resource} yet.`, { details: { resource } });

/** Returns leaves' content, each after its length in two bytes (C2SP tlog-tiles, entry bundles). */
const readLeaves = async (sql: Sql, tile: number, width: number): Promise<Buffer> => {
  const rows = await execute(sql, leavesOf(tile, width).select('event_hash'));
  const length = Buffer.of(0, hashBytes);
  return Buffer.concat(rows.flatMap((row) => [length, Buffer.from(row.event_hash, 'hex')]));
};

/** Returns SHA-256(order id) ‖ sequence in 4 bytes for each leaf: the input of the order index. */
const readOrders = async (sql: Sql, tile: number, width: number): Promise<Buffer> => {
  const rows = await execute(sql, leavesOf(tile, width).select(['order_id', 'sequence']));
  const sequences = rows.map((row) => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(row.sequence);
    return bytes;
  });
  return Buffer.concat(rows.flatMap((row, n) => [orderKey(row.order_id), sequences[n]!]));
};

const leavesOf = (tile: number, width: number) =>
  leavesBetween(tile * tileWidth, tile * tileWidth + width);
