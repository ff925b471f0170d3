import { type LoggedEntry, rebuildIndexRoot, sha256Hex } from '@pto/custody-verifier';
import type { Sql } from '@pto/database';
import { loggedLeaves } from './logged-leaves.ts';

/** Orders that one pass holds in memory: about 400 bytes each. */
const ordersMax = 250_000;
const pageSize = 8192;

/**
 * Computes the index's root from the log's first `size` leaves alone, without the stored index.
 * The leaves are read once for each 250,000 of them at most: memory is bounded.
 * @throws Rejection where an order's entries are not numbered 1, 2, 3 … in the log.
 * @throws Error where the log lacks a leaf.
 */
export const rebuildIndex = (sql: Sql, size: number, held = ordersMax): Promise<Uint8Array> => {
  let digits = 0;
  while (size / 16 ** digits > held) digits++;
  return rebuildIndexRoot(() => loggedEntries(sql, size), digits);
};

/** The log's first `size` leaves in their order, a page at a time. */
async function* loggedEntries(sql: Sql, size: number): AsyncGenerator<LoggedEntry> {
  for (let from = 0; from < size; from += pageSize) {
    const leaves = await loggedLeaves(sql, from, Math.min(from + pageSize, size));
    for (const { order_id: orderId, sequence, event_hash: head } of leaves)
      yield { key: sha256Hex(orderId), sequence, head };
  }
}
