import type { Sql } from '@pto/database';
import type { Anchor } from '../log/anchor.ts';
import { readCheckpoint } from '../log/note-signer.ts';
import type { Fault } from './check-chain.ts';
import { logFault } from './log-fault.ts';

const pageSize = 1000;

/**
 * Whether the anchor holds every checkpoint that the database holds, each as it was signed and in
 * order, and no other. The newest may still be on its way there.
 */
export const checkAnchor = async (sql: Sql, anchor: Anchor): Promise<Fault[]> => {
  const faults: Fault[] = [];
  const kept = checkpoints(sql);
  let next = await kept.next();
  let last = 0;
  for await (const note of anchor.all()) {
    const size = sizeOf(note);
    if (size === null) {
      faults.push(logFault('the anchor holds something that is no checkpoint'));
      continue;
    }
    if (size <= last) {
      faults.push(logFault(`the anchor holds the checkpoint over ${size} after that over ${last}`));
      continue;
    }
    last = size;
    for (; !next.done && next.value.size < size; next = await kept.next())
      faults.push(logFault(`the anchor lacks the checkpoint over ${next.value.size} leaves`));
    if (next.done || next.value.size > size)
      faults.push(logFault(`the database lacks the anchored checkpoint over ${size} leaves`));
    else {
      if (next.value.note !== note)
        faults.push(logFault(`the checkpoint over ${size} leaves is not the anchored one`));
      next = await kept.next();
    }
  }
  // one at the end is not anchored yet; more are never on their way
  const waiting: number[] = [];
  for (; !next.done; next = await kept.next()) waiting.push(next.value.size);
  for (const size of waiting.slice(0, -1))
    faults.push(logFault(`the anchor lacks the checkpoint over ${size} leaves`));
  return faults;
};

const sizeOf = (note: string): number | null => {
  try {
    return readCheckpoint(note).size;
  } catch {
    return null;
  }
};

/** All kept checkpoints, the smallest first. */
async function* checkpoints(sql: Sql): AsyncGenerator<{ size: number; note: string }> {
  for (let after = 0; ; ) {
    const rows: { size: string; note: string }[] = await sql.query(
      'select size, note from log_checkpoints where size > $1 order by size limit $2',
      [after, pageSize],
    );
    for (const row of rows) yield { size: Number(row.size), note: row.note };
    if (rows.length < pageSize) return;
    after = Number(rows.at(-1)!.size);
  }
}
