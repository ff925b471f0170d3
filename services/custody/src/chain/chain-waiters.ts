import type { Sql } from '@pto/database';
import { createWakeSignal } from '@pto/worker';
import { type Chain, readChain, readChains } from './read-chain.ts';

/** Maximum time that a reader waits for an entry that orders has announced (decision 32). */
const waitMaxMs = 2000;

interface Waiter {
  readonly sequence: number;
  resolve(chain: Chain | null): void;
  reject(error: unknown): void;
}

/** Lets readers wait for entries. */
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
 * Creates the waiters of a process. A reader resumes when its chain contains the awaited entry. All
 * readers share one loop, which reads all awaited chains with one statement: every `pollMs`, and
 * after a commit of this process that appends to one of the chains.
 * @param pollMs interval in ms at which appends of other replicas are found.
 * @param waitersMax maximum number of waiting readers; a further reader gets the chain without a
 *   wait.
 */
export const createChainWaiters = (
  sql: Sql,
  { waitersMax = 1000, pollMs = 50 } = {},
): ChainWaiters => {
  const waiting = new Map<string, Set<Waiter>>();
  const wakeSignal = createWakeSignal();
  let [waiters, isRunning, hasAppended] = [0, false, false];

  const look = async () => {
    if (waiting.size === 0) return;
    const chains = await readChains(sql, [...waiting.keys()]);
    for (const [orderId, chain] of chains)
      for (const waiter of waiting.get(orderId) ?? [])
        if (chain.sequence >= waiter.sequence) waiter.resolve(chain);
  };
  const run = async () => {
    if (isRunning) return;
    isRunning = true;
    while (waiting.size > 0) {
      await wakeSignal.wait(pollMs);
      await look().catch((error) => {
        for (const waiter of [...waiting.values()].flatMap((all) => [...all])) waiter.reject(error);
      });
    }
    isRunning = false;
  };

  const join = (orderId: string, sequence: number, now: Chain | null, signal: AbortSignal) =>
    new Promise<Chain | null>((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', giveUp);
        const all = waiting.get(orderId);
        all?.delete(waiter);
        if (all?.size === 0) waiting.delete(orderId);
        waiters--;
      };
      const giveUp = () => waiter.resolve(now);
      const waiter: Waiter = {
        sequence,
        resolve: (chain) => {
          leave();
          resolve(chain);
        },
        reject: (error) => {
          leave();
          reject(error);
        },
      };
      const timer = setTimeout(giveUp, waitMaxMs);
      signal.addEventListener('abort', giveUp, { once: true });
      waiting.set(orderId, (waiting.get(orderId) ?? new Set()).add(waiter));
      waiters++;
      void run();
    });

  return {
    wait: async (orderId, sequence, signal) => {
      const chain = await readChain(sql, orderId);
      const isEnough = (chain?.sequence ?? 0) >= sequence;
      if (isEnough || signal.aborted || waiters >= waitersMax) return chain;
      return join(orderId, sequence, chain, signal);
    },
    appending: (orderIds) => {
      hasAppended ||= waiting.size > 0 && orderIds.some((id) => waiting.has(id));
    },
    committed: () => {
      if (hasAppended) wakeSignal.wake();
      hasAppended = false;
    },
  };
};
