/** Selects the checkpoint to publish and adds the cosignatures that it has. */
import { execute, fragment, type Sql } from '@pto/database';
import { type Checkpoint, lastCheckpoint } from '../checkpoints/stored-checkpoints.ts';
import { tables } from '../schema/ledger-database.ts';

/**
 * Maximum number of cosignature lines. With one line per key of the log, a note has fewer than 100
 * signature lines, the limit of `parseNote`.
 */
const linesMax = 64;

/** Returns the checkpoint with up to 64 cosignatures as additional signature lines of the note. */
export const withCosignatures = async (sql: Sql, checkpoint: Checkpoint): Promise<Checkpoint> => {
  const rows = await execute(
    sql,
    tables
      .selectFrom('log_cosignatures')
      .select('line')
      .where('size', '=', `${checkpoint.size}`)
      .orderBy('vkey')
      .limit(linesMax),
  );
  return { ...checkpoint, note: checkpoint.note + rows.map(({ line }) => line).join('') };
};

/**
 * Returns the checkpoint for a proof file. If the service has cosignatures of the configured
 * witnesses for checkpoints that cover the leaf and were signed within the last ten minutes: the
 * one with the most cosignatures, of several the newest. Otherwise the newest checkpoint. So the
 * checkpoint of a proof is at most ten minutes older than the newest one. While a witness is
 * unavailable, a proof has an older checkpoint with that witness's cosignature for at most ten
 * minutes.
 * @param leafIndex -1 for an order without entries.
 * @param witnesses vkeys of the configured witnesses.
 * @returns null if no checkpoint covers the leaf.
 */
export const checkpointOfProof = async (
  sql: Sql,
  leafIndex: number,
  witnesses: readonly string[],
): Promise<Checkpoint | null> => {
  const cosigned = witnesses.length > 0 ? await mostCosigned(sql, leafIndex, witnesses) : null;
  const chosen = cosigned ?? (await lastCheckpoint(sql));
  return chosen && chosen.size > leafIndex ? await withCosignatures(sql, chosen) : null;
};

const mostCosigned = async (
  sql: Sql,
  leafIndex: number,
  witnesses: readonly string[],
): Promise<Checkpoint | null> => {
  const [row] = await execute(
    sql,
    tables
      .selectFrom('log_checkpoints as c')
      .innerJoin('log_cosignatures as s', 's.size', 'c.size')
      .select(['c.size', 'c.note', 'c.signed_at'])
      .where('c.signed_at', '>', fragment<string>`statement_timestamp() - interval '10 minutes'`)
      .where('c.size', '>', `${leafIndex}`)
      .where(({ eb, fn, val }) => eb('s.vkey', '=', fn.any(val(witnesses))))
      .groupBy('c.size')
      .orderBy(({ fn }) => fn.countAll(), 'desc')
      .orderBy('c.size', 'desc')
      .limit(1),
  );
  return row ? { size: Number(row.size), note: row.note, signedAt: row.signed_at } : null;
};
