import { contentDigest } from '@pto/custody-verifier';
import { type EntryRow, toChainEntry } from '../chain/read-chain.ts';
import type { Violation } from './violation.ts';

/** What the orders service stores of an order's events, outside the ledger's database. */
export interface Evidence {
  /** Number of events that the orders service has produced for this order. */
  readonly sequence: number;
  /** Number of the last entry that custody has reported to orders; 0 before the first report. */
  readonly custodySequence: number;
  readonly custodyHeadHash: string;
  /**
   * SHA-256 of each event's content, by event number, ascending. Events that are older than the
   * storage of digests have no digest.
   */
  readonly digests: ReadonlyMap<number, Uint8Array>;
}

/** An order's entries, and the evidence that was read before and after them. */
export interface Compared {
  readonly orderId: string;
  readonly entries: readonly EntryRow[];
  readonly before: Evidence | null;
  /** Needed only if `before` does not cover all entries; null if it was not read. */
  readonly after: Evidence | null;
}

/**
 * Returns the first contradiction between a chain and the evidence of orders, or null: pure.
 * Comments on the comparisons state why concurrent progress cannot falsify them.
 */
export const checkEvidence = ({ orderId, entries, before, after }: Compared): Violation | null => {
  const violation = (reason: string, entryId = ''): Violation => ({ orderId, entryId, reason });
  const known = after ?? before;
  if (entries.length === 0 && !before?.custodySequence) return null;
  // an order is committed before its first event is sent, so evidence read after the entries must
  // contain the order
  if (!known) return violation(unknownOrder);
  // custody reports an entry after its commit, entries are never removed, and `before` was read
  // before the entries: so the ledger must contain each reported entry
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
 * Returns the contradiction between an entry and evidence that was read after it, if there is one:
 * pure. Orders commits an event and its digest before custody can receive the event, so the
 * evidence must contain both.
 */
export const checkNewEntry = (entry: EntryRow, known: Evidence | undefined): Violation[] => {
  const orderId = entry.order_id;
  if (!known) return [{ orderId, entryId: '', reason: unknownOrder }];
  const reason = entryReason(entry, known);
  return reason ? [{ orderId, entryId: entry.id, reason }] : [];
};

const unknownOrder = 'the ledger holds a chain of an order that orders does not know';

const entryReason = (entry: EntryRow, known: Evidence): string | null => {
  if (entry.sequence > known.sequence)
    return 'the ledger holds an entry that orders did not produce';
  const reason = reportedReason(entry, known);
  if (reason) return reason;
  const { digests } = known; // ascending; events older than the storage of digests have no digest
  const digest = digests.get(entry.sequence);
  if (digest && !Buffer.from(digest).equals(contentDigest({ ...entry, ...toChainEntry(entry) })))
    return 'the entry does not say what orders produced';
  const first = digests.keys().next().value ?? Number.POSITIVE_INFINITY;
  return !digest && entry.sequence > first ? 'orders holds no digest of the entry' : null;
};

/**
 * Returns why an entry is not the entry that custody reported to orders, or null. A reported hash
 * never changes, so the comparison is valid at any time.
 */
const reportedReason = (entry: EntryRow, known: Evidence): string | null =>
  entry.sequence === known.custodySequence && entry.event_hash !== known.custodyHeadHash
    ? 'the entry is not the one that custody reported to orders'
    : null;
