import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from '@pto/database';
import { type Chain, readChains } from './read-chain.ts';

/** Maximum time that a reader waits for an entry that orders has announced (decision 32). */
const waitMaxMs = 2000;
/** Interval in ms at which the chains that readers wait for are read. */
const pollMs = 25;

/**
 * Returns a chain as soon as it contains the entry `sequence`. After 2 s, or if `signal` aborts,
 * resolves with the chain as it was at the call; null if there was no chain. Rejects if the chain
 * cannot be read.
 */
export type WaitForEntry = (
  orderId: string,
  sequence: number,
  signal: AbortSignal,
) => Promise<Chain | null>;

/**
 * Returns the function by which readers of this process wait for entries. All of them share one
 * statement, which reads all awaited chains every `pollMs`.
 * @param waitersMax maximum number of waiting readers; a further reader gets the chain without a
 *   wait.
 */
export const createChainWaiters = (sql: Sql, { waitersMax = 1000 } = {}): WaitForEntry => {
  /** A symbol for each waiting reader, and the order that it waits for. */
  const waiting = new Map<symbol, string>();
  let nextRead: Promise<ReadonlyMap<string, Chain>> | null = null;

  const readAwaited = () => {
    nextRead ??= sleep(pollMs, undefined, { ref: false }).then(() => {
      nextRead = null;
      if (waiting.size === 0) return new Map();
      return readChains(sql, [...new Set(waiting.values())]);
    });
    return nextRead;
  };

  return async (orderId, sequence, signal) => {
    const isEnough = (chain?: Chain) => (chain?.sequence ?? 0) >= sequence;
    const now = (await readChains(sql, [orderId])).get(orderId);
    if (isEnough(now) || signal.aborted || waiting.size >= waitersMax) return now ?? null;
    const ended = AbortSignal.any([signal, AbortSignal.timeout(waitMaxMs)]);
    const reader = Symbol();
    waiting.set(reader, orderId);
    try {
      for (const end = once(ended, 'abort').then(() => null); ; ) {
        const chains = await Promise.race([readAwaited(), end]);
        if (chains === null) return now ?? null;
        const chain = chains.get(orderId);
        if (chain && isEnough(chain)) return chain;
      }
    } finally {
      waiting.delete(reader);
    }
  };
};
