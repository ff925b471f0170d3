import { type Database, greatestUuid } from '@pto/database';
import { checkChain, nextChainIds, storedChains } from './check-chain.ts';
import { checkEvidence, type Evidence } from './check-evidence.ts';
import type { EvidenceSource } from './orders-evidence.ts';
import { confirmed, type Violation } from './violation.ts';

export interface OrdersVerdict {
  readonly orderIds: readonly string[];
  readonly entries: number;
  /**
   * Number of orders with events that the ledger has not stored yet. This is a delay, not a
   * violation.
   */
  readonly delayed: number;
  readonly violations: readonly Violation[];
}

/**
 * What a verification needs. `unconfirmed` is called with each violation that a second read did not
 * show.
 */
export interface Verifier {
  readonly db: Database;
  readonly evidence: EvidenceSource;
  readonly unconfirmed: (violation: Violation) => void;
}

/**
 * Verifies one page of chains, in the order of their order ids. Each chain is checked for
 * consistency and compared with the log and the evidence of orders. An order with evidence but no
 * chain is included. A second read confirms each violation.
 * @returns the verdict, and the order id after which the next page begins; '' if this page is the
 *   last.
 */
export const verifyOrdersPage = async (
  verifier: Verifier,
  { afterOrderId, pageSize }: { afterOrderId: string; pageSize: number },
): Promise<OrdersVerdict & { nextOrderId: string }> => {
  const stored = await nextChainIds(verifier.db, afterOrderId, pageSize);
  const more = stored.length === pageSize;
  const upTo = more ? stored.at(-1)! : greatestUuid;
  const verdict = await confirmed(verifier, async () => {
    const before = await verifier.evidence.range(afterOrderId, upTo);
    const orderIds = [...new Set([...stored, ...before.keys()])].sort();
    return compareOrders(verifier, orderIds, before);
  });
  return { ...verdict, nextOrderId: more ? upTo : '' };
};

/** Verifies the chains of exactly these orders, like `verifyOrdersPage`. */
export const verifyOrders = (
  verifier: Verifier,
  orderIds: readonly string[],
): Promise<OrdersVerdict> =>
  confirmed(verifier, async () =>
    compareOrders(verifier, orderIds, await verifier.evidence.of(orderIds)),
  );

/**
 * Compares chains with the evidence of orders. Reads the chains in one snapshot, then again the
 * evidence of those chains that have more entries than the first evidence covers.
 * @param before evidence that was read before.
 */
const compareOrders = async (
  { db, evidence }: Verifier,
  orderIds: readonly string[],
  before: ReadonlyMap<string, Evidence>,
): Promise<OrdersVerdict> => {
  const produced = (orderId: string) => before.get(orderId)?.sequence ?? 0;
  const chains = await db.snapshot((sql) => storedChains(sql, orderIds));
  const moved = chains.filter(({ orderId, entries }) => entries.length > produced(orderId));
  const after = await evidence.of(moved.map(({ orderId }) => orderId));
  return {
    orderIds,
    entries: chains.reduce((sum, { entries }) => sum + entries.length, 0),
    delayed: chains.filter(({ orderId, entries }) => entries.length < produced(orderId)).length,
    violations: chains.flatMap((chain) => {
      const { orderId, entries } = chain;
      const known = { before: before.get(orderId) ?? null, after: after.get(orderId) ?? null };
      return checkChain(chain) ?? checkEvidence({ orderId, entries, ...known }) ?? [];
    }),
  };
};
