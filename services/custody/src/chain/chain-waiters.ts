import { once } from 'node:events';
import type { Sql } from '@pto/database';
import { createWakeSignal } from '@pto/worker';
import { type Chain, readChains } from './read-chain.ts';

/** Maximum time that a reader waits for an entry that orders has announced (decision 32). */
const waitMaxMs = 2000;

export interface ChainWaiters {
  /**
   * Resolves with the chain as soon as the chain contains the entry `sequence`. After 2 s, or if
   * `signal` aborts, resolves with the chain as it was at the call; null if there was no chain.
   * Rejects if the chain cannot be read.
   */
  wait(orderId: string, sequence: number, signal: AbortSignal): Promise<Chain | null>;
  /**
   * Remembers for `committed` whether a reader waits for one of these chains. Call it in the
   * transaction that appends to the chains.
   */
  appending(orderIds: readonly string[]): void;
  /**
   * Reads the awaited chains immediately if `appending` has found a waiting reader. Call it after
   * the commit of the appending transaction.
   */
  committed(): void;
}

/**
 * Creates the waiters of a process. All readers share one statement, which reads all awaited
 * chains: every `pollMs`, and after a commit of this process that appends to one of the chains.
 * @param pollMs interval in ms at which appends of other replicas are found.
 * @param waitersMax maximum number of waiting readers; a further reader gets the chain without a
 *   wait.
 */
export const createChainWaiters = (
  sql: Sql,
  { waitersMax = 1000, pollMs = 50 } = {},
): ChainWaiters => {
  /** A symbol for each waiting reader, and the order that it waits for. */
  const waiting = new Map<symbol, string>();
  const wakeSignal = createWakeSignal({ unref: true });
  let hasAppended = false;
  let nextRead: Promise<ReadonlyMap<string, Chain>> | null = null;

  const readAwaited = () => {
    nextRead ??= wakeSignal.wait(pollMs).then(() => {
      nextRead = null;
      if (waiting.size === 0) return new Map();
      return readChains(sql, [...new Set(waiting.values())]);
    });
    return nextRead;
  };

  return {
    wait: async (orderId, sequence, signal) => {
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
    },
    appending: (orderIds) => {
      if (waiting.size === 0) return;
      const appended = new Set(orderIds);
      hasAppended ||= [...waiting.values()].some((orderId) => appended.has(orderId));
    },
    committed: () => {
      if (hasAppended) wakeSignal.wake();
      hasAppended = false;
    },
  };
};
