import type { Sql } from '@pto/database';
import { Failure } from '@pto/errors';
import { encodePage, type NumberedEntry } from './page.ts';
import { placedEntries } from './stored-entries.ts';

/** Greatest size of a page's entries in bytes; a larger entry is a page of its own. */
const pageBytes = 4 * 1024 * 1024;

/** What a copy contains: the entries with numbers after `since` up to `until`. */
interface Copy {
  readonly organizationId: string;
  readonly since: number;
  readonly until: number;
}

/**
 * Reads the next page of a copy: entries in the order of their numbers, without a gap.
 * @param after the number of the last entry of the page before; null: the first page.
 * @returns the page, and the number of its last entry; null: it is the copy's last page.
 * @throws Failure INTERNAL if the ledger has lost a leaf or an entry of the page.
 */
export const exportEntries = async (
  sql: Sql,
  { organizationId, since, until }: Copy,
  after: number | null,
): Promise<{ readonly rows: Uint8Array; readonly next: number | null }> => {
  const from = Math.max(since, after ?? since);
  if (from >= until) return { rows: encodePage({ organizationId, entries: [] }), next: null };
  const span = { first: from + 1, last: until, bytes: pageBytes };
  const placed = await placedEntries(sql, organizationId, span);
  const entries: NumberedEntry[] = [];
  for (let [n, bytes] = [0, 0]; n === 0 || n < placed.length; n++) {
    const next = placed[n];
    if (next?.number !== from + n + 1 || next.entry === null)
      throw new Failure('INTERNAL', 'The entries cannot be read.', {
        cause: `entry ${from + n + 1} of organization ${organizationId} is lost`,
      });
    bytes += Buffer.byteLength(JSON.stringify(next.entry)) + 1;
    if (n > 0 && bytes > pageBytes) break;
    entries.push(next.entry);
  }
  const last = from + entries.length;
  return { rows: encodePage({ organizationId, entries }), next: last < until ? last : null };
};
