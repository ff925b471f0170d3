import { type ChainEntry, entryHash, genesisHash } from './entry-hash.ts';

export type ChainVerdict =
  | { readonly valid: true; readonly head: string }
  | {
      readonly valid: false;
      /** Index of the first bad entry, counted from 0. */
      readonly index: number;
      readonly entryId: string;
      readonly reason: string;
    };

/** Recomputes a chain, oldest entry first. An empty chain is valid; its head is the genesis. */
export const verifyChain = (orderId: string, entries: readonly ChainEntry[]): ChainVerdict => {
  let head = genesisHash(orderId);
  for (const [index, entry] of entries.entries()) {
    const fault = (reason: string): ChainVerdict => ({
      valid: false,
      index,
      entryId: entry.id,
      reason,
    });
    if (entry.prev_event_hash !== head)
      return fault(
        index === 0
          ? "prev_event_hash is not the order's genesis hash"
          : 'prev_event_hash is not the hash of the entry before',
      );
    if (entryHash(orderId, entry) !== entry.event_hash)
      return fault('event_hash does not match what the entry says');
    head = entry.event_hash;
  }
  return { valid: true, head };
};
