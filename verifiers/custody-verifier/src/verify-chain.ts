import { sha256Hex } from '#sha256';
import { isHash } from './bytes.ts';
import { entryFault } from './entry-form.ts';
import { type ChainEntry, canonicalJson, checkedEntryText, genesisHash } from './entry-hash.ts';

export type ChainVerdict = { readonly valid: true; readonly head: string } | ChainFault;

export interface ChainFault {
  readonly valid: false;
  /**
   * Index, from 0, of the entry where verification failed. If the chain does not contain the head
   * `seen`, the index of the entry at the position of that head, or the number of entries if the
   * chain is shorter. 0 if the order id or `seen` is malformed.
   */
  readonly index: number;
  /** Id of that entry; empty if the entry has no id or does not exist. */
  readonly entryId: string;
  readonly reason: string;
}

/** A head that the caller has seen: the number of entries and the hash of the last one. */
export interface Head {
  readonly sequence: number;
  readonly hash: string;
}

/** Maximum number of entries. A longer chain is invalid. */
export const entriesMax = 1_000_000;

/**
 * Verifies a chain by recomputing its hashes, oldest entry first. An empty chain is valid; its head
 * is the genesis hash.
 * @param seen a head that the caller has seen earlier: the chain must contain it at the same
 *   position. This detects chains from which entries were removed or in which entries were
 *   rewritten later.
 */
export const verifyChain = (
  orderId: string,
  entries: readonly ChainEntry[],
  seen?: Head,
): ChainVerdict => {
  const fault = (index: number, reason: string) => faultOf(entries, index, reason);
  if (!orderId.isWellFormed()) return fault(0, 'the order id is no text');
  if (entries.length > entriesMax) return fault(entriesMax, `more than ${entriesMax} entries`);
  let head = genesisHash(orderId);
  const order = canonicalJson(orderId);
  const ids = new Set<string>();
  for (const [index, entry] of entries.entries()) {
    const reason = entryFault(entry) ?? linkFault(order, entry, head, index);
    if (reason) return fault(index, reason);
    if (ids.has(entry.id)) return fault(index, 'its id is that of an earlier entry');
    ids.add(entry.id);
    head = entry.event_hash;
  }
  return (seen && seenFault(orderId, entries, seen)) || { valid: true, head };
};

/** Returns null if a consistent chain contains the seen head, else the fault. */
export const seenFault = (
  orderId: string,
  entries: readonly ChainEntry[],
  { sequence, hash }: Head,
): ChainFault | null => {
  if (!Number.isSafeInteger(sequence) || sequence < 0 || !isHash(hash))
    return faultOf(entries, 0, 'a head is a whole number and 64 lower-case hex digits');
  if (sequence > entries.length)
    return faultOf(
      entries,
      entries.length,
      `a head of ${sequence} entries was seen, the chain has ${entries.length}`,
    );
  const held = sequence === 0 ? genesisHash(orderId) : entries[sequence - 1]!.event_hash;
  if (held === hash) return null;
  return faultOf(
    entries,
    Math.max(0, sequence - 1),
    `entry ${sequence}, counted from 1, is not the one that was seen`,
  );
};

const linkFault = (
  order: string,
  entry: ChainEntry,
  head: string,
  index: number,
): string | null => {
  if (entry.prev_event_hash !== head) {
    if (!isHash(entry.prev_event_hash)) return 'prev_event_hash is not 64 lower-case hex digits';
    return index === 0
      ? "prev_event_hash is not the order's genesis hash"
      : 'prev_event_hash is not the hash of the entry before';
  }
  if (sha256Hex(checkedEntryText(order, entry)) === entry.event_hash) return null;
  return isHash(entry.event_hash)
    ? 'event_hash does not match what the entry says'
    : 'event_hash is not 64 lower-case hex digits';
};

const faultOf = (entries: readonly ChainEntry[], index: number, reason: string): ChainFault => {
  const id: unknown = (entries[index] as Partial<ChainEntry> | null | undefined)?.id;
  return { valid: false, index, entryId: typeof id === 'string' ? id : '', reason };
};
