/** Which checkpoint is published, with the cosignatures that it has at that moment. */
import type { Sql } from '@pto/database';
import { type Checkpoint, lastCheckpoint } from '../checkpoints/checkpoints.ts';

/** Two cosignatures a witness, and one line for each key of the log, stay below the limit of 100. */
const linesMax = 64;

/** The checkpoint with its cosignatures as further signature lines of the note. */
export const withCosignatures = async (sql: Sql, checkpoint: Checkpoint): Promise<Checkpoint> => {
  const rows = await sql.query<{ line: string }>(
    'select line from log_cosignatures where size = $1 order by vkey limit $2',
    [checkpoint.size, linesMax],
  );
  return { ...checkpoint, note: checkpoint.note + rows.map(({ line }) => line).join('') };
};

/**
 * The checkpoint of a proof file: of those that cover the leaf and were signed within the last ten
 * minutes, the one with the most cosignatures of the configured witnesses, the newest of these. If
 * none is cosigned, the newest checkpoint. So a proof is ten minutes behind at most, and a witness
 * that is unavailable delays no other one's cosignature for longer.
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
  const [row] = await sql.query<{ size: string; note: string; signed_at: string }>(
    `select c.size, c.note, c.signed_at
     from log_checkpoints c join log_cosignatures s using (size)
     where c.signed_at > clock_timestamp() - interval '10 minutes' and c.size > $1
       and s.vkey = any ($2)
     group by c.size order by count(*) desc, c.size desc limit 1`,
    [leafIndex, witnesses],
  );
  return row ? { size: Number(row.size), note: row.note, signedAt: row.signed_at } : null;
};
