import { entryText, genesisHash, sha256Hex } from '@pto/custody-verifier';
import { type EntryRow, entryColumns, toChainEntry } from '../chain/entry-row.ts';
import type { Violation } from './violation.ts';

/** A leaf of the log and its entry, read in one snapshot. */
export interface StoredLeaf {
  readonly leaf_index: string;
  readonly order_id: string;
  readonly sequence: number;
  readonly leaf_hash: string;
  /** Null if the ledger has lost the entry. */
  readonly entry: EntryRow | null;
  /** The hash of the previous entry in the chain; null if there is none. */
  readonly before_hash: string | null;
}

interface LeafRow extends Omit<EntryRow, 'order_id' | 'sequence' | 'id'> {
  readonly leaf_index: string;
  readonly order_id: string;
  readonly sequence: number;
  readonly leaf_hash: string;
  readonly id: string | null;
  readonly before_hash: string | null;
}

/** SQL that selects leaves with their entries. Append a condition on `l` and an order. */
export const selectLeaves = `select leaf_index, leaf_hash, ${entryColumns},
   (select b.event_hash from entries b
     where b.order_id = l.order_id and b.sequence = l.sequence - 1) as before_hash
 from (select leaf_index, order_id, sequence, event_hash as leaf_hash from log_leaves) l
   left join entries e using (order_id, sequence)`;

export const toLeaf = (row: LeafRow): StoredLeaf => ({
  leaf_index: row.leaf_index,
  order_id: row.order_id,
  sequence: row.sequence,
  leaf_hash: row.leaf_hash,
  entry: row.id === null ? null : (row as EntryRow),
  before_hash: row.before_hash,
});

/**
 * Returns the contradiction between a leaf, its entry and the previous entry, or null: pure. A leaf
 * is written in a later transaction than its entry, so in one snapshot the entry must exist.
 */
export const checkLeaf = ({
  order_id: orderId,
  sequence,
  leaf_hash: leafHash,
  entry,
  before_hash: beforeHash,
}: StoredLeaf): Violation | null => {
  const violation = (reason: string): Violation => ({ orderId, entryId: entry?.id ?? '', reason });
  if (!entry) return violation('the log holds an entry that the ledger has lost');
  if (entry.event_hash !== leafHash)
    return violation('the entry is not the one that the log holds');
  const text = entryText(orderId, toChainEntry(entry));
  if (sha256Hex(text) !== entry.event_hash)
    return violation('event_hash does not match what the entry says');
  if (text !== entry.canonical_text)
    return violation('the stored canonical text is not what the entry says');
  const before = sequence === 1 ? genesisHash(orderId) : beforeHash;
  return entry.prev_event_hash === before
    ? null
    : violation('prev_event_hash is not the hash of the entry before');
};
