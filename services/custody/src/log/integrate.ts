import { entryLeafHash } from '@pto/custody-verifier';
import type { Database, Transaction } from '@pto/database';
import { readTiles, saveTiles } from './tile-store.ts';
import { extendTiles, growingTiles } from './tiles.ts';

/** So many leaves take their places in one transaction. */
export const integrateMax = 2048;

interface Queued {
  readonly id: string;
  readonly order_id: string;
  readonly sequence: number;
  readonly event_hash: string;
}

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
    const taken = await tx.query<Queued>(
      `delete from log_queue where id = any (array (
         select id from log_queue order by id limit ${integrateMax}))
       returning id, order_id, sequence, event_hash`,
    );
    if (taken.length === 0) return 0;
    const leaves = taken.toSorted((a, b) => Number(BigInt(a.id) - BigInt(b.id)));
    const growing = await readTiles(tx, growingTiles(state.size));
    const hashes = leaves.map((leaf) => entryLeafHash(leaf.event_hash));
    await saveTiles(tx, extendTiles(state.size, growing, hashes));
    await tx.query(
      `insert into log_leaves (leaf_index, order_id, sequence, event_hash)
       select $1 + n - 1, order_id, sequence, event_hash
       from unnest($2::uuid[], $3::int[], $4::text[]) with ordinality
         as leaf (order_id, sequence, event_hash, n)`,
      [
        state.size,
        leaves.map((leaf) => leaf.order_id),
        leaves.map((leaf) => leaf.sequence),
        leaves.map((leaf) => leaf.event_hash),
      ],
    );
    await tx.query('update log_state set size = $1', [state.size + leaves.length]);
    return leaves.length;
  });
