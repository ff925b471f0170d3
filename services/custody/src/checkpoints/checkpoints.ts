import { checkpointLines, checkpointText } from '@pto/custody-verifier';
import { type Database, type Sql, type Transaction, uuidv7 } from '@pto/database';
import { addToOutbox } from '@pto/outbox';
import { custodyCheckpointsTopic } from '@pto/proto/topics';
import type { Anchor } from '../anchor/anchor.ts';
import { anchorNewest } from '../anchor/anchor-newest.ts';
import { holdLog } from '../log/integrate.ts';
import { areCurrentKeys } from '../log/keys.ts';
import { tileReader } from '../log/tile-store.ts';
import { rootAt } from '../log/tree.ts';
import { type NoteSigner, readCheckpoint } from '../notes/note-signer.ts';
import { indexForCheckpoint } from '../order-index/next-checkpoint.ts';
import type { TopTiles } from '../order-index/top-tiles.ts';
import { nextTime } from './checkpoint-time.ts';

export interface Checkpoint {
  readonly size: number;
  readonly note: string;
  readonly signedAt: string;
}

export const lastCheckpoint = async (sql: Sql): Promise<Checkpoint | null> => {
  const [row] = await sql.query<{ size: string; note: string; signed_at: string }>(
    'select size, note, signed_at from log_checkpoints order by size desc limit 1',
  );
  return row ? { size: Number(row.size), note: row.note, signedAt: row.signed_at } : null;
};

/** The number of leaves in the log, and the number that the newest checkpoint covers. */
export interface LogSizes {
  readonly leaves: number;
  readonly signed: number;
}

export const logSizes = async (sql: Sql): Promise<LogSizes> => {
  const [row] = await sql.query<{ leaves: string; signed: string }>(
    `select size as leaves, coalesce((select max(size) from log_checkpoints), 0) as signed
     from log_state`,
  );
  return { leaves: Number(row?.leaves ?? 0), signed: Number(row?.signed ?? 0) };
};

export interface Signing {
  readonly db: Database;
  readonly origin: string;
  readonly signer: NoteSigner;
  readonly anchor: Anchor;
  /** Minimum time between two checkpoints. */
  readonly intervalMs: number;
  /** Cache of the order index's upper tiles, so that fewer tiles are read from the database. */
  readonly topTiles?: TopTiles;
}

/**
 * Signs a checkpoint if leaves were added since the last one and the interval has passed, stores
 * and announces it in one transaction, and then anchors it. Before that, compares the log with the
 * last signed and the last anchored checkpoint; if the log contradicts either, nothing is signed
 * and the log halts. The checkpoint carries the root of the order index and the time (decision 52).
 * No checkpoint is signed while the last one is not anchored, whichever replica signed it, so the
 * anchor lacks at most the newest one.
 * @returns why the log halts, or null.
 */
export const checkpoint = async (signing: Signing): Promise<string | null> => {
  const { db, anchor } = signing;
  await anchorNewest(db, anchor);
  const anchored = await anchor.last();
  const halted = await db.transaction((tx) => signNext(tx, signing, anchored));
  if (halted === null) await anchorNewest(db, anchor);
  return halted;
};

const signNext = async (
  tx: Transaction,
  { origin, signer, intervalMs, topTiles }: Signing,
  anchored: string | null,
): Promise<string | null> => {
  const state = await holdLog(tx);
  if (!state) return null; // another replica holds the log
  const last = await lastCheckpoint(tx);
  const notes = [anchored, last?.note].filter((note) => note !== null && note !== undefined);
  const found = await contradiction(tx, state.size, notes);
  if (found !== null && found !== state.halted)
    await tx.query('update log_state set halted = $1', [found]);
  const halted = found ?? state.halted; // only the database's owner clears `halted`
  if (halted !== null) return halted;
  const signed = last?.size ?? 0;
  if (state.size === signed || state.anchoredSize < signed) return null;
  if (!(await isDue(tx, intervalMs)) || !(await areCurrentKeys(tx, signer.vkeys))) return null;
  const next = await indexForCheckpoint(tx, last, state.size, topTiles);
  if (!next) return null; // a lost index must be built again first
  const { size, indexRoot } = next;
  const root = await rootAt(tileReader(tx), size);
  const lines = checkpointLines({ indexRoot, time: await nextTime(tx, last) });
  const note = signer.sign(checkpointText({ origin, size, root }) + lines);
  await tx.query(
    `insert into log_checkpoints (size, root, note, hourly)
     select $1, $2, $3, not exists (select from log_checkpoints
       where hourly and signed_at >= date_trunc('hour', clock_timestamp(), 'UTC'))`,
    [size, Buffer.from(root), note],
  );
  await addToOutbox(tx, [
    {
      topic: custodyCheckpointsTopic,
      key: origin,
      id: uuidv7(),
      type: 'checkpoint',
      value: Buffer.from(note),
    },
  ]);
  return null;
};

const isDue = async (tx: Transaction, intervalMs: number): Promise<boolean> => {
  const [row] = await tx.query(
    `select from log_checkpoints where signed_at > clock_timestamp() - $1 * interval '1 ms' limit 1`,
    [intervalMs],
  );
  return row === undefined;
};

/** Returns a sentence that says which of the signed notes the log contradicts; null if none. */
export const contradiction = async (
  sql: Sql,
  size: number,
  notes: readonly string[],
): Promise<string | null> => {
  const read = tileReader(sql);
  for (const note of new Set(notes)) {
    const before = readCheckpoint(note);
    if (before.size > size)
      return `the log has ${size} leaves, and a checkpoint over ${before.size} was signed before`;
    if (!Buffer.from(before.root).equals(await rootAt(read, before.size)))
      return `the first ${before.size} leaves are not those that were signed before`;
  }
  return null;
};
