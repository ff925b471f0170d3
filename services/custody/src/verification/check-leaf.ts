import { entryText, genesisHash, sha256Hex } from '@pto/custody-verifier';
import { type EntryRow, entryColumns, toChainEntry } from '../chain/read-chain.ts';
import { tables } from '../schema/ledger-database.ts';
import type { Violation } from './violation.ts';

/** A leaf of the log and its entry, read in one snapshot. */
export interface StoredLeaf {
  readonly leaf_index: string;
  readonly order_id: string;
  readonly sequence: number;
  readonly leaf_hash: string;
  /** Null if the ledger has lost the entry. */
  readonly entry: EntryRow | null;
  /**
   * The hash of the previous entry in the chain; null for a first entry, or if the previous entry
   * is lost.
   */
  readonly before_hash: string | null;
}

/** Selects leaves with their entries. Add a condition on `l` and an order. */
export const selectLeaves = tables
  .selectFrom('log_leaves as l')
  .leftJoin('entries as e', (join) =>
    join.onRef('e.order_id', '=', 'l.order_id').onRef('e.sequence', '=', 'l.sequence'),
  )
  .select(entryColumns.map((column) => `e.${column}` as const))
  .select(['l.leaf_index', 'l.event_hash as leaf_hash', 'l.order_id', 'l.sequence'])
  .select(({ eb, lit, selectFrom }) =>
    selectFrom('entries as b')
      .select('b.event_hash')
      .whereRef('b.order_id', '=', 'l.order_id')
      .where('b.sequence', '=', eb('l.sequence', '-', lit(1)))
      .as('before_hash'),
  );

/** @param row of `selectLeaves`: the entry's columns are null if the ledger has lost the entry. */
export const toLeaf = (
  row: { readonly [Column in keyof EntryRow]: EntryRow[Column] | null } & Omit<StoredLeaf, 'entry'>,
): StoredLeaf => ({ ...row, entry: row.id === null ? null : (row as EntryRow) });

/**
 * Returns the contradiction between a leaf, its entry and the previous entry, or null: pure. An
 * entry is committed before its leaf is written, so a snapshot with the leaf must contain the
 * entry.
 */
export const checkLeaf = (leaf: StoredLeaf): Violation | null => {
  const { order_id: orderId, entry } = leaf;
  const violation = (reason: string): Violation => ({ orderId, entryId: entry?.id ?? '', reason });
  if (!entry) return violation('the log holds an entry that the ledger has lost');
  if (entry.event_hash !== leaf.leaf_hash)
    return violation('the entry is not the one that the log holds');
  const text = entryText(orderId, toChainEntry(entry));
  if (sha256Hex(text) !== entry.event_hash)
    return violation('event_hash does not match what the entry says');
  if (text !== entry.canonical_text)
    return violation('the stored canonical text is not what the entry says');
  const before = leaf.sequence === 1 ? genesisHash(orderId) : leaf.before_hash;
  return entry.prev_event_hash === before
    ? null
    : violation('prev_event_hash is not the hash of the entry before');
};
