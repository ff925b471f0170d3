import type { Sql } from '@pto/database';
import type { Anchor, AnchoredNote } from '../anchor/anchor.ts';
import { sizeOf } from '../anchor/merge-notes.ts';
import { newestSize, readStored, type Stored } from './required-checkpoints.ts';
import { logViolation, type Violation } from './violation.ts';

const pageSize = 1000;

/** Progress of a traversal of the anchor. */
export interface AnchorProgress {
  readonly mark: string;
  /** Size, in leaves, of the largest checkpoint read so far. */
  readonly size: number;
}

export const anchorStart: AnchorProgress = { mark: '', size: 0 };

export interface AnchorVerdict {
  readonly violations: readonly Violation[];
  readonly notes: number;
  /**
   * Position after this page, where the next page begins. At the anchor's end, the traversal
   * continues from here after the anchor has grown.
   */
  readonly reached: AnchorProgress;
  /** Whether the traversal has reached the anchor's end. */
  readonly ended: boolean;
}

/**
 * Compares a page of the anchor with the database's checkpoints: the anchor must contain every
 * required checkpoint, each as signed, and no other. The order of the three reads prevents false
 * violations during concurrent signing. First the size of the newest checkpoint is read from the
 * database: every smaller checkpoint was anchored before the newest was signed, so the anchor must
 * contain the required ones. Second the page of the anchor is read. Third the checkpoints are read
 * from the database: a checkpoint is committed before it is anchored, so the database must contain
 * each anchored one.
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

/**
 * Returns a violation for each checkpoint that the anchor must still store (`Stored.required`) with
 * a size between `after` and `before`, both excluded. The caller has found none of these sizes in
 * the anchor.
 */
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
