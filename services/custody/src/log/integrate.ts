import { entryLeafHash } from '@pto/custody-verifier';
import type { Database, Transaction } from '@pto/database';
import { readTiles, saveTiles } from './tile-store.ts';
import { extendTiles, growingTiles } from './tiles.ts';

/** So many leaves take their places in one transaction. */
export const integrateMax = 2048;

export interface LogState {
  readonly size: number;
  /** Why nothing is appended or signed any more. */
  readonly halted: string | null;
  /** The number of leaves under the newest checkpoint that is recorded as anchored. */
  readonly anchoredSize: number;
}

/** The log's state, held until the transaction ends: one sequencer at a time; null for the others. */
export const holdLog = async (tx: Transaction): Promise<LogState | null> => {
  const [row] = await tx.query<{ size: string; halted: string | null; anchored_size: string }>(
    'select size, halted, anchored_size from log_state for update skip locked',
  );
  return row
    ? { size: Number(row.size), halted: row.halted, anchoredSize: Number(row.anchored_size) }
    : null;
};

/**
 * Gives queued entries their places in the log. Nothing is read by "the last id seen": what is
 * queued is taken, however late its transaction was committed.
 * @returns how many; fewer than {@link integrateMax} when the queue is empty.
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
 * Moves entries from the queue to the log's leaves, the first ones to `size` and on, in one
 * statement: they are neither parsed here nor sent back.
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
