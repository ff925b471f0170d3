import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from '@pto/database';
import {
  checkChain,
  type Evidence,
  type Fault,
  isBehind,
  type StoredChain,
} from './check-chain.ts';
import { nextChainIds, readChains } from './read-page.ts';

/** Where the evidence comes from: orders' internal port. Sorted by order id. */
export interface EvidenceSource {
  heads(range: {
    orderId: string;
    afterOrderId: string;
    upToOrderId: string;
  }): Promise<ReadonlyMap<string, Evidence>>;
}

/** How long an event may be on its way before its absence counts as a fault. */
const behindMaxMs = 5000;
const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

export interface PageVerdict {
  readonly orders: number;
  readonly entries: number;
  readonly faults: readonly Fault[];
  /** Empty after the last page. */
  readonly nextOrderId: string;
}

/**
 * Checks the next chains in the order of their order ids, against themselves and against what
 * orders knows; orders whose chain is gone are found as well.
 */
export const verifyPage = async (
  sql: Sql,
  evidence: EvidenceSource,
  page: { orderId: string; afterOrderId: string; pageSize: number },
): Promise<PageVerdict> => {
  const { orderId, afterOrderId, pageSize } = page;
  const stored = orderId ? [orderId] : await nextChainIds(sql, afterOrderId, pageSize);
  const more = orderId === '' && stored.length === pageSize;
  const upToOrderId = more ? stored.at(-1)! : lastId;
  // evidence first: whatever orders was told of is in the ledger by now
  const known = await evidence.heads({ orderId, afterOrderId, upToOrderId });
  const ids = [...new Set([...stored, ...known.keys()])].sort();
  const chains = await caughtUp(sql, ids, known);
  const faults = chains.flatMap((chain) => {
    const of = known.get(chain.orderId) ?? null;
    const fault = checkChain(chain, of) ?? strayOrLate(chain, of);
    return fault ? [fault] : [];
  });
  return {
    orders: chains.length,
    entries: chains.reduce((sum, chain) => sum + chain.entries.length, 0),
    faults,
    nextOrderId: more ? upToOrderId : '',
  };
};

/** The chains, read again for a while where events are still on their way. */
const caughtUp = async (
  sql: Sql,
  ids: readonly string[],
  known: ReadonlyMap<string, Evidence>,
): Promise<StoredChain[]> => {
  const end = Date.now() + behindMaxMs;
  const chains = new Map((await readChains(sql, ids)).map((chain) => [chain.orderId, chain]));
  for (;;) {
    const behind = ids.filter((id) => {
      const evidence = known.get(id);
      return evidence && isBehind(chains.get(id)!, evidence);
    });
    if (behind.length === 0 || Date.now() > end) return ids.map((id) => chains.get(id)!);
    await sleep(100);
    for (const chain of await readChains(sql, behind)) chains.set(chain.orderId, chain);
  }
};

const strayOrLate = (chain: StoredChain, evidence: Evidence | null): Fault | null => {
  const { orderId, entries } = chain;
  const fault = (reason: string): Fault => ({ orderId, entryId: '', reason });
  if (!evidence)
    return entries.length > 0
      ? fault('the ledger holds a chain of an order that nobody knows')
      : null;
  return isBehind(chain, evidence)
    ? fault(`the order has ${evidence.sequence} events, the ledger holds ${entries.length}`)
    : null;
};
