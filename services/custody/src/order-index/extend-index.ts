import { emptyIndexHash, loadTiles, orderKey, updateTiles, valueHash } from '@pto/custody-verifier';
import type { Sql } from '@pto/database';
import { loggedLeaves } from '../log/stored-log.ts';
import { type IndexVersion, indexTilesAt, saveIndex, TopTiles } from './index-store.ts';

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
  const added = await loggedLeaves(sql, index.size, size);
  const lastOfOrders = new Map(added.map((leaf) => [leaf.order_id, leaf]));
  const leaves = Array.from(lastOfOrders.values(), (leaf) => ({
    key: orderKey(leaf.order_id),
    value: valueHash(leaf.sequence, leaf.event_hash),
  }));
  const keys = leaves.map(({ key }) => key);
  const read = top.reader(index.size, indexTilesAt(sql, index.size));
  const loaded = await loadTiles(read, keys, null);
  const updated = updateTiles(loaded, leaves);
  await saveIndex(sql, size, updated);
  top.hold(size, updated.tiles);
  return { size, root: updated.root };
};
