import { fragment, type Placeholders, type Sql, statement } from '@pto/database';
import { type Anchor, type AnchoredNote, sizeOf } from '../anchor/anchor.ts';
import { logSizes } from '../checkpoints/stored-checkpoints.ts';
import { tables } from '../schema/ledger-database.ts';
import { logViolation, type Violation } from './violation.ts';

const pageSize = 1000;

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
  const { signed: newest } = await logSizes(sql);
  const { notes, ended } = await readPage(anchor, progress.mark);
  const violations: Violation[] = [];
  const sizes = notes
    .map(({ note }) => ({ size: sizeOf(note), note }))
    .filter(({ size }) => size >= 0);
  if (sizes.length < notes.length)
    violations.push(logViolation('the anchor holds something that is no checkpoint'));
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

/**
 * Maximum number of hourly checkpoints, and of those of the last day, that one call reads from the
 * range, smallest sizes first.
 */
const rangeMax = 10_000;

interface Stored {
  readonly size: number;
  readonly note: string;
  /**
   * Whether the anchor must still store the checkpoint: it is hourly, or was signed within the last
   * day.
   */
  readonly required: boolean;
}

const signedToday = fragment<boolean>`signed_at > clock_timestamp() - interval '1 day'`;

const selectStored = statement(
  (given: Placeholders<{ after: string; upTo: string; sizes: readonly string[] }>) => {
    const range = tables
      .selectFrom('log_checkpoints')
      .selectAll()
      .where('size', '>', given.after)
      .where('size', '<=', given.upTo)
      .orderBy('size')
      .limit(fragment.lit(rangeMax));
    const named = tables
      .selectFrom('log_checkpoints')
      .selectAll()
      .where(({ eb, fn }) => eb('size', '=', fn.any(given.sizes)));
    // two ranges in place of `hourly or signed today`, because each has an index
    const hourly = range.where(({ ref }) => ref('hourly'));
    const all = tables
      .selectFrom(hourly.as('h'))
      .selectAll('h')
      .union(tables.selectFrom(range.where(signedToday).as('r')).selectAll('r'))
      .union(named);
    return tables
      .selectFrom(all.as('c'))
      .select(({ or, ref }) => [
        'c.size',
        'c.note',
        or([ref('c.hourly'), signedToday])
          .$castTo<boolean>()
          .as('required'),
      ])
      .orderBy('c.size');
  },
);

/**
 * Reads the required checkpoints of a range of sizes and all checkpoints with the named sizes, in
 * ascending order.
 */
const readStored = async (
  sql: Sql,
  after: number,
  upTo: number,
  named: readonly { size: number }[],
): Promise<Map<number, Stored>> => {
  const rows = await selectStored(sql, {
    after: `${after}`,
    upTo: `${upTo}`,
    sizes: named.map(({ size }) => `${size}`),
  });
  return new Map(
    rows.map(({ size, note, required }) => [Number(size), { size: Number(size), note, required }]),
  );
};
