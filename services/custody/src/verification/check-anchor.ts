import type { Sql } from '@pto/database';
import type { Anchor } from '../log/anchor.ts';
import { readCheckpoint } from '../log/note-signer.ts';
import type { Fault } from './check-chain.ts';
import { logFault } from './log-fault.ts';

const pageSize = 1000;

/** How far a walk over the anchor has come. */
export interface AnchorWalk {
  readonly mark: string;
  /** The leaves of the last checkpoint there. */
  readonly size: number;
}

export const anchorStart: AnchorWalk = { mark: '', size: 0 };

/**
 * Whether the anchor holds every checkpoint that the database holds, each as it was signed and in
 * order, and no other, a page of the anchor on. The newest may still be on its way there.
 * @returns where to go on, or null at the anchor's end.
 */
export const checkAnchor = async (
  sql: Sql,
  anchor: Anchor,
  walk: AnchorWalk,
): Promise<{ faults: readonly Fault[]; next: AnchorWalk | null }> => {
  const faults: Fault[] = [];
  const kept = checkpoints(sql, walk.size);
  let next = await kept.next();
  let [last, looked, before] = [walk.size, 0, walk.mark];
  for await (const { note, mark } of anchor.notes(walk.mark)) {
    if (looked++ === pageSize) return { faults, next: { mark: before, size: last } };
    before = mark;
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
  return { faults, next: null };
};

const sizeOf = (note: string): number | null => {
  try {
    return readCheckpoint(note).size;
  } catch {
    return null;
  }
};

/** Kept checkpoints over more leaves than that, the smallest first. */
async function* checkpoints(
  sql: Sql,
  size: number,
): AsyncGenerator<{ size: number; note: string }> {
  for (let after = size; ; ) {
    const rows: { size: string; note: string }[] = await sql.query(
      'select size, note from log_checkpoints where size > $1 order by size limit $2',
      [after, pageSize],
    );
    for (const row of rows) yield { size: Number(row.size), note: row.note };
    if (rows.length < pageSize) return;
    after = Number(rows.at(-1)!.size);
  }
}
