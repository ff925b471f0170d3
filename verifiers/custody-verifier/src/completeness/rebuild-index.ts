import { hashBytes, isHash } from '../bytes.ts';
import { Rejection } from '../rejection.ts';
import {
  halved,
  type IndexSubtree,
  subtreeHash,
  subtreeOfLeaves,
  valueHash,
} from './order-index.ts';

/** A leaf of the log, with the values that the index needs. */
export interface LoggedEntry {
  /** The order's key in 64 lower-case hexadecimal digits. */
  readonly key: string;
  /** The entry's number in its order's chain, from 1. */
  readonly sequence: number;
  /** The `event_hash` of the entry. */
  readonly head: string;
}

/**
 * Computes the index's root from the log's leaves alone.
 * @param entries streams the leaves that the checkpoint covers, in order; called once per
 *   traversal.
 * @param digits the log is traversed 16^digits times. Each traversal collects only the orders whose
 *   keys begin with the same `digits` hexadecimal digits, so it needs memory for one part in
 *   16^digits of the orders.
 * @throws Rejection if a key or a head is not a hash, or if an order's entries are not numbered
 *   1, 2, 3 … in the log.
 */
export const rebuildIndexRoot = async (
  entries: () => AsyncIterable<LoggedEntry> | Iterable<LoggedEntry>,
  digits = 0,
): Promise<Uint8Array> => {
  let parts: IndexSubtree[] = [];
  for (let part = 0; part < 16 ** digits; part++) {
    const prefix = digits === 0 ? '' : part.toString(16).padStart(digits, '0');
    const last = new Map<string, LoggedEntry>();
    for await (const entry of entries())
      if (entry.key.startsWith(prefix)) {
        checkNext(entry, last.get(entry.key));
        last.set(entry.key, entry);
      }
    const leaves = Array.from(last.values(), ({ key, sequence, head }) => ({
      key: hashBytes(key),
      value: valueHash(sequence, head),
    }));
    parts.push(subtreeOfLeaves(leaves, 4 * digits));
  }
  while (parts.length > 1) parts = halved(parts);
  return subtreeHash(parts[0]!);
};

const checkNext = ({ key, sequence, head }: LoggedEntry, before: LoggedEntry | undefined): void => {
  if (!isHash(key) || !isHash(head)) throw new Rejection('a key or a head is no hash');
  const next = (before?.sequence ?? 0) + 1;
  if (sequence !== next)
    throw new Rejection(`the log holds entry ${sequence} of order ${key} where ${next} is next`);
};
