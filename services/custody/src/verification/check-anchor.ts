import { execute, type Sql } from '@pto/database';
import type { Anchor, AnchoredNote } from '../anchor/anchor.ts';
import { sizeOf } from '../anchor/merge-notes.ts';
import { type Rows, tables } from '../schema/tables.ts';
import { logViolation, type Violation } from './violation.ts';

const pageSize = 1000;
/** Where the anchor lost more than so many checkpoints, the first ones are named. */
const rangeMax = 10_000;

/** How far a traversal of the anchor has come. */
export interface AnchorProgress {
  readonly mark: string;
  /** The number of leaves of the largest checkpoint there so far. */
  readonly size: number;
}

export const anchorStart: AnchorProgress = { mark: '', size: 0 };

export interface AnchorVerdict {
  readonly violations: readonly Violation[];
  readonly notes: number;
  /** Where the next page begins, also one that is read when the anchor has grown. */
  readonly reached: AnchorProgress;
  /** Whether the anchor's end was reached. */
  readonly ended: boolean;
}

interface Stored {
  readonly size: number;
  readonly note: string;
  /** Whether the anchor stores it still: hourly, or signed within the last day. */
  readonly required: boolean;
}

/**
 * Compares a page of the anchor with the database's checkpoints: the anchor holds every checkpoint
 * that it must, each as it was signed, and no other.
 *
 * Three reads in an order that concurrent signing cannot falsify:
 * 1. the checkpoints that must be there, from the database. All but the newest were anchored before
 *    the newest was signed, so the anchor, which is read later, holds them;
 * 2. the anchor;
 * 3. the checkpoints that may be there, from the database. A checkpoint is committed before it is
 *    anchored, so the database, which is read later, holds each one.
 */
export const checkAnchor = async (
  sql: Sql,
  anchor: Anchor,
  progress: AnchorProgress,
): Promise<AnchorVerdict> => {
  const newest = await newestSize(sql);
  const { notes, ended } = await readPage(anchor, progress.mark);
  const violations: Violation[] = [];
  const sizes = notes.flatMap(({ note }) => {
    const size = sizeOf(note);
    if (size === null)
      violations.push(logViolation('the anchor holds something that is no checkpoint'));
    return size === null ? [] : [{ size, note }];
  });
  const upTo = ended
    ? newest - 1
    : sizes.reduce((most, { size }) => Math.max(most, size), progress.size);
  const stored = await readStored(sql, progress.size, Math.min(upTo, newest - 1), sizes);
  let last = progress.size;
  for (const { size, note } of sizes) {
    const found = stored.get(size);
    if (!found)
      violations.push(
        logViolation(`the database lacks the anchored checkpoint over ${size} leaves`),
      );
    else if (found.note !== note)
      violations.push(logViolation(`the checkpoint over ${size} leaves is not the anchored one`));
    if (size > last) {
      violations.push(...lacking(stored, last, size));
      last = size;
    }
  }
  if (ended) violations.push(...lacking(stored, last, newest));
  const mark = notes.at(-1)?.mark ?? progress.mark;
  return { violations, notes: notes.length, reached: { mark, size: last }, ended };
};

/** Required checkpoints between two sizes, both excluded, that the anchor did not give. */
const lacking = (stored: ReadonlyMap<number, Stored>, after: number, before: number): Violation[] =>
  [...stored.values()]
    .filter(({ size, required }) => required && size > after && size < before)
    .map(({ size }) => logViolation(`the anchor lacks the checkpoint over ${size} leaves`));

const readPage = async (
  anchor: Anchor,
  mark: string,
): Promise<{ notes: readonly AnchoredNote[]; ended: boolean }> => {
  const notes: AnchoredNote[] = [];
  for await (const note of anchor.notes(mark)) {
    notes.push(note);
    if (notes.length === pageSize) return { notes, ended: false };
  }
  return { notes, ended: true };
};

const newestSize = async (sql: Sql): Promise<number> => {
  const [row] = await execute(
    sql,
    tables.selectFrom('log_checkpoints').select(({ fn }) => fn.max('size').as('size')),
  );
  return Number(row?.size ?? 0);
};

/** The checkpoints of a range of sizes, and those that the anchor named, in ascending order. */
const readStored = async (
  sql: Sql,
  after: number,
  upTo: number,
  named: readonly { size: number }[],
): Promise<Map<number, Stored>> => {
  const rows = await sql.query<
    Pick<Rows['log_checkpoints'], 'size' | 'note'> & { required: boolean }
  >(
    `select size, note, hourly or signed_at > clock_timestamp() - interval '1 day' as required
     from (
       (select * from log_checkpoints where size > $1 and size <= $2 order by size limit $4)
       union
       (select * from log_checkpoints where size = any ($3))
     ) c order by size`,
    [after, upTo, named.map(({ size }) => size), rangeMax],
  );
  return new Map(
    rows.map(({ size, note, required }) => [Number(size), { size: Number(size), note, required }]),
  );
};
