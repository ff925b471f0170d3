import { emptyIndexHash, loadTiles, orderKey, updateTiles, valueHash } from '@pto/custody-verifier';
import type { Sql } from '@pto/database';
import { loggedLeaves } from '../log/stored-log.ts';
import { type IndexVersion, indexTilesAt, saveIndex } from './index-store.ts';

/** Maximum number of leaves of the log that one transaction adds to the index. */
export const extendMax = 16_384;

export const emptyIndex: IndexVersion = { size: 0, root: emptyIndexHash };

/**
 * Adds the log's leaves from the index's size to before `size` to the index, and stores the index.
 * @param index the newest stored index.
 * @throws Rejection if a stored tile is missing or malformed.
 */
export const extendIndex = async (
  sql: Sql,
  index: IndexVersion,
  size: number,
): Promise<IndexVersion> => {
  const added = await loggedLeaves(sql, index.size, size);
  const lastOfOrders = new Map(added.map((leaf) => [leaf.order_id, leaf]));
  const leaves = Array.from(lastOfOrders.values(), (leaf) => ({
    key: orderKey(leaf.order_id),
    value: valueHash(leaf.sequence, leaf.event_hash),
  }));
  const keys = leaves.map(({ key }) => key);
  const loaded = await loadTiles(indexTilesAt(sql, index.size), keys, null);
  const updated = updateTiles(loaded, leaves);
  await saveIndex(sql, size, updated);
  return { size, root: updated.root };
};
