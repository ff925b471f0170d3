import { entryLeafHash } from '@pto/custody-verifier';
import type { Database, Transaction } from '@pto/database';
import { readTiles, saveTiles } from './tile-store.ts';
import { extendTiles, growingTiles } from './tiles.ts';

/** Maximum number of leaves that one transaction adds to the log. */
export const integrateMax = 2048;

export interface LogState {
  readonly size: number;
  /** Why nothing is appended or signed any more; null if the log is not halted. */
  readonly halted: string | null;
  /** Number of leaves that the newest checkpoint recorded as anchored covers. */
  readonly anchoredSize: number;
}

/**
 * Locks and returns the log's state until the transaction ends, so that one sequencer works at a
 * time; null if another one holds the lock.
 */
export const holdLog = async (tx: Transaction): Promise<LogState | null> => {
  const [row] = await tx.query<{ size: string; halted: string | null; anchored_size: string }>(
    'select size, halted, anchored_size from log_state for update skip locked',
  );
  return row
    ? { size: Number(row.size), halted: row.halted, anchoredSize: Number(row.anchored_size) }
    : null;
};

/**
 * Adds queued entries to the log. Takes whatever is queued, not ids after the last one seen, so
 * entries of late commits are included.
 * @returns the number of entries added; fewer than {@link integrateMax} when the queue is empty.
 */
export const integrate = (db: Database): Promise<number> =>
  db.transaction(async (tx) => {
    const state = await holdLog(tx);
    if (!state || state.halted !== null) return 0;
    const eventHashes = await placeQueued(tx, state.size);
    if (eventHashes.length === 0) return 0;
    const growing = await readTiles(tx, growingTiles(state.size));
    await saveTiles(tx, extendTiles(state.size, growing, eventHashes.map(entryLeafHash)));
    await tx.query('update log_state set size = $1', [state.size + eventHashes.length]);
    return eventHashes.length;
  });

/**
 * Moves entries from the queue to the log's leaves from index `size` on, with one statement, so
 * that the entries are neither parsed here nor sent back.
 * @returns their `event_hash`es, in the log's order.
 */
const placeQueued = async (tx: Transaction, size: number): Promise<string[]> => {
  const [placed] = await tx.query<{ hashes: string | null }>(
    `with taken as (
       delete from log_queue where id = any (array (
         select id from log_queue order by id limit ${integrateMax}))
       returning id, order_id, sequence, event_hash),
     placed as (
       insert into log_leaves (leaf_index, order_id, sequence, event_hash)
       select $1::bigint + row_number() over (order by id) - 1, order_id, sequence, event_hash
       from taken
       returning leaf_index, event_hash)
     select string_agg(event_hash, ',' order by leaf_index) as hashes from placed`,
    [size],
  );
  return placed?.hashes?.split(',') ?? [];
};
