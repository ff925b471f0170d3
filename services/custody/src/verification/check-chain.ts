import { entryText, verifyChain } from '@pto/custody-verifier';
import { type EntryRow, toChainEntry } from '../chain/entry-row.ts';
import { emptyHead } from '../chain/link.ts';
import type { Violation } from './violation.ts';

/** An entry, and what the log stores for it. */
export interface StoredEntry extends EntryRow {
  /** The hash of the entry's leaf; null if it has no leaf. */
  readonly leaf_hash: string | null;
  /** Whether the entry has no leaf and is queued for the log. */
  readonly queued: boolean;
}

/** Everything that the ledger stores of one order, read in one snapshot. */
export interface StoredChain {
  readonly orderId: string;
  /** Null if the ledger has no head row for the order. */
  readonly head: { readonly sequence: number; readonly hash: string } | null;
  readonly entries: readonly StoredEntry[];
}

/**
 * Returns the first contradiction within a chain or between the chain and the log, or null: pure.
 * One transaction adds an entry, moves the head and queues the entry for the log; another moves the
 * queued entry to a leaf. So in one snapshot the entries, the head, the queue and the leaves agree.
 */
export const checkChain = (chain: StoredChain): Violation | null => {
  const violation = (reason: string, entryId = ''): Violation => ({
    orderId: chain.orderId,
    entryId,
    reason,
  });
  const { entries, head } = chain;
  const verdict = verifyChain(chain.orderId, entries.map(toChainEntry));
  if (!verdict.valid) return violation(verdict.reason, verdict.entryId);
  for (const [n, row] of entries.entries()) {
    const reason = rowViolation(chain.orderId, n + 1, row);
    if (reason) return violation(reason, row.id);
  }
  const last = { sequence: entries.length, hash: verdict.head };
  const stored = head ?? emptyHead(chain.orderId);
  if (stored.sequence !== last.sequence || stored.hash !== last.hash)
    return violation(`the head says ${stored.sequence} entries, the chain has ${last.sequence}`);
  return null;
};

const rowViolation = (orderId: string, sequence: number, row: StoredEntry): string | null => {
  if (row.sequence !== sequence) return `entry ${sequence} is numbered ${row.sequence}`;
  if (entryText(orderId, toChainEntry(row)) !== row.canonical_text)
    return 'the stored canonical text is not what the entry says';
  if (row.leaf_hash === null) return row.queued ? null : 'the entry is not in the log';
  return row.leaf_hash === row.event_hash ? null : 'the entry is not the one that the log holds';
};
