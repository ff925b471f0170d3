import { entryText, verifyChain } from '@pto/custody-verifier';
import type { EntryRow } from '../chain/entry-row.ts';
import { toChainEntry } from '../chain/entry-row.ts';
import { emptyHead } from '../chain/link.ts';

export interface Fault {
  readonly orderId: string;
  /** Empty where no single entry is to blame. */
  readonly entryId: string;
  readonly reason: string;
}

/** What orders has kept of a chain, outside of the ledger's database. */
export interface Evidence {
  /** The order's own last event number. */
  readonly sequence: number;
  readonly custodySequence: number;
  readonly custodyHeadHash: string;
}

/** An entry and what the log says of it. */
export interface StoredEntry extends EntryRow {
  /** The leaf that stands for it; null where there is none. */
  readonly leaf_hash: string | null;
  /** Whether it waits for its place in the log. */
  readonly queued: boolean;
}

export interface StoredChain {
  readonly orderId: string;
  /** Null where the ledger has no head row for the order. */
  readonly head: { readonly sequence: number; readonly hash: string } | null;
  readonly entries: readonly StoredEntry[];
}

/** Everything that can be wrong with one chain, first fault only: pure. */
export const checkChain = (chain: StoredChain, evidence: Evidence | null): Fault | null => {
  const fault = (reason: string, entryId = ''): Fault => ({
    orderId: chain.orderId,
    entryId,
    reason,
  });
  const { entries, head } = chain;
  const verdict = verifyChain(chain.orderId, entries.map(toChainEntry));
  if (!verdict.valid) return fault(verdict.reason, verdict.entryId);
  for (const [n, row] of entries.entries()) {
    if (row.sequence !== n + 1) return fault(`entry ${n + 1} is numbered ${row.sequence}`, row.id);
    // whose hash was compared just now
    if (entryText(chain.orderId, toChainEntry(row)) !== row.canonical_text)
      return fault('the stored canonical text is not what the entry says', row.id);
    if (row.leaf_hash === null && !row.queued) return fault('the entry is not in the log', row.id);
    if (row.leaf_hash !== null && row.leaf_hash !== row.event_hash)
      return fault('the entry is not the one that the log holds', row.id);
  }
  const last = { sequence: entries.length, hash: verdict.head };
  const kept = head ?? emptyHead(chain.orderId);
  if (kept.sequence !== last.sequence || kept.hash !== last.hash)
    return fault(`the head says ${kept.sequence} entries, the chain has ${last.sequence}`);
  return evidence && checkEvidence(chain, evidence, fault);
};

const checkEvidence = (
  { entries }: StoredChain,
  evidence: Evidence,
  fault: (reason: string, entryId?: string) => Fault,
): Fault | null => {
  if (evidence.custodySequence > entries.length)
    return fault(
      `orders was told of ${evidence.custodySequence} entries, the ledger holds ${entries.length}`,
    );
  const told = entries[evidence.custodySequence - 1];
  if (told && told.event_hash !== evidence.custodyHeadHash)
    return fault('the entry is not the one that orders was told of', told.id);
  if (evidence.sequence < entries.length)
    return fault(
      `the ledger holds ${entries.length} entries, the order has ${evidence.sequence} events`,
      entries[evidence.sequence]?.id,
    );
  return null;
};

/** Whether an event may still be on its way: announced, and never reported as held. */
export const isBehind = ({ entries }: StoredChain, evidence: Evidence): boolean =>
  entries.length < evidence.sequence && entries.length >= evidence.custodySequence;
