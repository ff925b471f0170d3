import { checkpointText } from '@pto/custody-verifier';
import { type Database, type Sql, type Transaction, uuidv7 } from '@pto/database';
import { addToOutbox } from '@pto/outbox';
import { custodyCheckpointsTopic } from '@pto/proto/topics';
import type { Anchor } from './anchor.ts';
import { holdLog } from './integrate.ts';
import { areCurrentKeys } from './keys.ts';
import { type NoteSigner, readCheckpoint } from './note-signer.ts';
import { tileReader } from './tile-store.ts';
import { rootAt } from './tree.ts';

/** A checkpoint is signed at most this often. */
export const checkpointEveryMs = 1000;

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

/** How many leaves there are, and over how many the newest checkpoint is. */
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
}

/**
 * Signs a checkpoint if something was appended since the last one and that one is a second old,
 * keeps and announces it in one transaction, and then anchors it. First it is told whether the log
 * still holds what was signed and anchored before; if not, nothing is signed and the log halts.
 * @returns why the log halts, or null.
 */
export const checkpoint = async ({
  db,
  origin,
  signer,
  anchor,
}: Signing): Promise<string | null> => {
  await anchorLast(db, anchor); // one that a crash left behind: the anchor holds every one, in order
  const anchored = await anchor.last();
  const outcome = await db.transaction(async (tx) => {
    const state = await holdLog(tx);
    if (!state) return null; // another replica's turn
    const last = await lastCheckpoint(tx);
    const notes = [anchored, last?.note].filter((note) => note !== null && note !== undefined);
    const halted = await contradiction(tx, state.size, notes);
    if (halted !== state.halted) await tx.query('update log_state set halted = $1', [halted]);
    if (halted !== null) return halted;
    if (state.size === (last?.size ?? 0)) return null;
    if (!(await isDue(tx)) || !(await areCurrentKeys(tx, signer.vkeys))) return null;
    const root = await rootAt(tileReader(tx), state.size);
    const note = signer.sign(checkpointText({ origin, size: state.size, root }));
    await tx.query('insert into log_checkpoints (size, root, note) values ($1, $2, $3)', [
      state.size,
      Buffer.from(root),
      note,
    ]);
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
  });
  if (outcome === null) await anchorLast(db, anchor);
  return outcome;
};

/**
 * Appends the newest checkpoint to the anchor, unless the anchor holds it or knows of more. The log
 * is held meanwhile: two replicas must not append the same one twice.
 */
const anchorLast = (db: Database, anchor: Anchor): Promise<void> =>
  db.transaction(async (tx) => {
    if (!(await holdLog(tx))) return;
    const last = await lastCheckpoint(tx);
    if (last && last.size > sizeOf(await anchor.last())) await anchor.append(last.note);
  });

const sizeOf = (note: string | null): number => (note === null ? 0 : readCheckpoint(note).size);

const isDue = async (tx: Transaction): Promise<boolean> => {
  const [row] = await tx.query(
    `select from log_checkpoints where signed_at > clock_timestamp() - $1 * interval '1 ms' limit 1`,
    [checkpointEveryMs],
  );
  return row === undefined;
};

/** Which of these notes the log no longer bears out, in a sentence; null when it does them all. */
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
