import {
  emptyIndexHash,
  type IndexLeaf,
  loadTiles,
  orderKey,
  updateTiles,
  valueHash,
} from '@pto/custody-verifier';
import type { Sql } from '@pto/database';
import { loggedLeaves } from '../log/leaves.ts';
import { type IndexVersion, indexTilesAt, saveIndex, TopTiles } from './tile-store.ts';

/** Maximum number of leaves of the log that one transaction adds to the index. */
export const extendMax = 16_384;

export const emptyIndex: IndexVersion = { size: 0, root: emptyIndexHash };

/**
 * Adds the log's leaves from the index's size to before `size` to the index, and stores the index.
 * @param index the newest stored index.
 * @param top cache of upper tiles for the same database.
 * @throws Rejection if a stored tile is missing or malformed.
 */
export const extendIndex = async (
  sql: Sql,
  index: IndexVersion,
  size: number,
  top: TopTiles = new TopTiles(),
): Promise<IndexVersion> => {
  const leaves = await lastOfOrders(sql, index.size, size);
  const keys = leaves.map(({ key }) => key);
  const loaded = await loadTiles(top.reader(index.size, indexTilesAt(sql, index.size)), keys, null);
  const updated = updateTiles(loaded, leaves);
  await saveIndex(sql, size, updated);
  top.hold(size, updated.tiles);
  return { size, root: updated.root };
};

/** Returns the last entry of each order among these leaves of the log, as leaves of the index. */
const lastOfOrders = async (sql: Sql, from: number, to: number): Promise<IndexLeaf[]> => {
  const leaves = await loggedLeaves(sql, from, to);
  const last = new Map(leaves.map((leaf) => [leaf.order_id, leaf]));
  return [...last.values()].map((row) => ({
    key: orderKey(row.order_id),
    value: valueHash(row.sequence, row.event_hash),
  }));
};
