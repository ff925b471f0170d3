import { contentDigest } from '@pto/custody-verifier';
import type { EntryRow } from '../chain/entry-row.ts';
import type { Violation } from './violation.ts';

/** What orders stores of an order's events, outside the ledger's database. */
export interface Evidence {
  /** The number of events that orders produced. */
  readonly sequence: number;
  /** The last entry that custody reported, and its hash; 0 and empty before the first report. */
  readonly custodySequence: number;
  readonly custodyHeadHash: string;
  /** Event number to SHA-256 of the event's content; events of before the digests have none. */
  readonly digests: ReadonlyMap<number, Uint8Array>;
}

/** An order's entries, and the evidence that was read before and after them. */
export interface Compared {
  readonly orderId: string;
  readonly entries: readonly EntryRow[];
  readonly before: Evidence | null;
  /** Needed only where `before` does not know all entries; null where it was not read. */
  readonly after: Evidence | null;
}

/** Whether the evidence has to be read again behind the entries before they can be compared. */
export const needsLaterEvidence = (
  entries: readonly EntryRow[],
  before: Evidence | null,
): boolean => entries.length > (before?.sequence ?? 0);

/** Whether orders has produced events that the ledger does not hold yet: a delay, no violation. */
export const isDelayed = ({ entries, before }: Compared): boolean =>
  entries.length < (before?.sequence ?? 0);

/**
 * The first contradiction between a chain and what orders knows of it, or null: pure. Each of the
 * comparisons states why progress between the reads cannot falsify it.
 */
export const checkEvidence = ({ orderId, entries, before, after }: Compared): Violation | null => {
  const violation = (reason: string, entryId = ''): Violation => ({ orderId, entryId, reason });
  const known = after ?? before;
  if (entries.length === 0 && !before?.custodySequence) return null;
  // an order is committed before its first event is sent, and `known` was read after the entries
  if (!known) return violation('the ledger holds a chain of an order that orders does not know');
  // custody reports an entry after it is committed, entries are never removed, and `before` was
  // read before the entries
  if (before && before.custodySequence > entries.length)
    return violation(
      `custody reported ${before.custodySequence} entries to orders, the ledger holds ${entries.length}`,
    );
  for (const entry of entries) {
    const reason = entryReason(entry, known) ?? (before && reportedReason(entry, before));
    if (reason) return violation(reason, entry.id);
  }
  return null;
};

/**
 * What contradicts between one entry and evidence that was read after it, or null: pure. Orders
 * commits an event and its digest before custody can receive it, so both are there by then.
 */
export const checkNewEntry = (entry: EntryRow, known: Evidence | null): Violation | null => {
  const reason = known
    ? entryReason(entry, known)
    : 'the ledger holds a chain of an order that orders does not know';
  return reason ? { orderId: entry.order_id, entryId: known ? entry.id : '', reason } : null;
};

const entryReason = (entry: EntryRow, known: Evidence): string | null => {
  if (entry.sequence > known.sequence)
    return 'the ledger holds an entry that orders did not produce';
  const reason = reportedReason(entry, known);
  if (reason) return reason;
  const { digests } = known; // in ascending order; events of before the digests have none
  const digest = digests.get(entry.sequence);
  if (digest && !Buffer.from(digest).equals(contentDigest(contentOf(entry))))
    return 'the entry does not say what orders produced';
  const first = digests.keys().next().value ?? Number.POSITIVE_INFINITY;
  return !digest && entry.sequence > first ? 'orders holds no digest of the entry' : null;
};

/** A reported hash never changes, so it may be compared whenever both sides know it. */
const reportedReason = (entry: EntryRow, known: Evidence): string | null =>
  entry.sequence === known.custodySequence && entry.event_hash !== known.custodyHeadHash
    ? 'the entry is not the one that custody reported to orders'
    : null;

const contentOf = (row: EntryRow) => ({
  ...row,
  payload: row.payload === null ? null : (JSON.parse(row.payload) as unknown),
});
