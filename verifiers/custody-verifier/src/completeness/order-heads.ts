import { hashBytes, isHash } from '../bytes/hex.ts';
import { Rejection } from '../rejection.ts';
import { valueHash } from './index-hash.ts';
import { IndexRoot } from './index-root.ts';
import type { IndexLeaf } from './index-subtree.ts';

/** A leaf of the log, with the values that the index needs. */
export interface LoggedEntry {
  /** The order's key in 64 lower-case hexadecimal digits. */
  readonly key: string;
  /** The entry's number in its order's chain, from 1. */
  readonly sequence: number;
  /** The `event_hash` of the entry. */
  readonly head: string;
}

/** Collects the last entry of each order from the log's leaves, added in the order of the log. */
export class OrderHeads {
  readonly #prefix: string;
  readonly #heads = new Map<string, LoggedEntry>();

  /**
   * @param prefix only orders whose keys begin with these hexadecimal digits are collected; by
   *   default all orders.
   */
  constructor(prefix = '') {
    this.#prefix = prefix;
  }

  /**
   * Adds an entry. Ignores an entry whose order is not collected.
   * @throws Rejection if the key or the head is not a hash, or if the entry's number does not
   *   follow the number of the order's entry before.
   */
  add(entry: LoggedEntry): void {
    const { key, sequence, head } = entry;
    if (!key.startsWith(this.#prefix)) return;
    if (!isHash(key) || !isHash(head)) throw new Rejection('a key or a head is no hash');
    const next = (this.#heads.get(key)?.sequence ?? 0) + 1;
    if (sequence !== next)
      throw new Rejection(`the log holds entry ${sequence} of order ${key} where ${next} is next`);
    this.#heads.set(key, entry);
  }

  /** Returns the leaves of the index, in the order of their keys. */
  leaves(): IndexLeaf[] {
    return [...this.#heads.values()]
      .sort((a, b) => (a.key < b.key ? -1 : 1))
      .map(({ key, sequence, head }) => ({
        key: hashBytes(key),
        value: valueHash(sequence, head),
      }));
  }
}

/**
 * Computes the index's root from the log's leaves alone.
 * @param entries streams the leaves that the checkpoint covers, in order; called once per
 *   traversal.
 * @param digits the log is traversed 16^digits times. Each traversal collects only the orders whose
 *   keys begin with the same `digits` hexadecimal digits, so it needs memory for one part in
 *   16^digits of the orders.
 * @throws Rejection if an order's entries are not numbered 1, 2, 3 … in the log.
 */
export const rebuildIndexRoot = async (
  entries: () => AsyncIterable<LoggedEntry> | Iterable<LoggedEntry>,
  digits = 0,
): Promise<Uint8Array> => {
  const root = new IndexRoot();
  for (let pass = 0; pass < 16 ** digits; pass++) {
    const heads = new OrderHeads(digits === 0 ? '' : pass.toString(16).padStart(digits, '0'));
    for await (const entry of entries()) heads.add(entry);
    for (const leaf of heads.leaves()) root.add(leaf);
  }
  return root.root;
};
