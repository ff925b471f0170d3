import { type LoggedEntry, rebuildIndexRoot, sha256Hex } from '@pto/custody-verifier';
import type { Sql } from '@pto/database';
import { loggedLeaves } from '../log/leaves.ts';

/** Approximate maximum number of orders in memory at a time, about 400 bytes each. */
const ordersMax = 250_000;
const pageSize = 8192;

/**
 * Computes the index's root from the log's first `size` leaves, without the stored index. Memory is
 * bounded: a large log is read several times, each time for a part of the orders.
 * @throws Rejection if an order's entries are not numbered 1, 2, 3 … in the log.
 * @throws Error if the log lacks a leaf.
 */
export const rebuildIndex = (sql: Sql, size: number, held = ordersMax): Promise<Uint8Array> => {
  let digits = 0;
  while (size / 16 ** digits > held) digits++;
  return rebuildIndexRoot(() => loggedEntries(sql, size), digits);
};

/** Reads the log's first `size` leaves in order, page by page. */
async function* loggedEntries(sql: Sql, size: number): AsyncGenerator<LoggedEntry> {
  for (let from = 0; from < size; from += pageSize) {
    const leaves = await loggedLeaves(sql, from, Math.min(from + pageSize, size));
    for (const { order_id: orderId, sequence, event_hash: head } of leaves)
      yield { key: sha256Hex(orderId), sequence, head };
  }
}
