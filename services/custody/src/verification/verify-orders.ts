import { type Database, greatestUuid } from '@pto/database';
import { checkChain, type StoredChain } from './check-chain.ts';
import {
  type Compared,
  checkEvidence,
  type Evidence,
  isDelayed,
  needsLaterEvidence,
} from './check-evidence.ts';
import { confirmed } from './confirm.ts';
import type { EvidenceSource } from './orders-evidence.ts';
import { nextChainIds, readChains } from './read-chains.ts';
import type { Violation } from './violation.ts';

export interface OrdersVerdict {
  readonly orderIds: readonly string[];
  readonly entries: number;
  /** Number of orders with events that the ledger has not stored yet. */
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
  page: { afterOrderId: string; pageSize: number },
): Promise<OrdersVerdict & { nextOrderId: string }> => {
  const { db, evidence } = verifier;
  const stored = await nextChainIds(db, page.afterOrderId, page.pageSize);
  const more = stored.length === page.pageSize;
  const upTo = more ? stored.at(-1)! : greatestUuid;
  const before = await evidence.range(page.afterOrderId, upTo);
  const orderIds = [...new Set([...stored, ...before.keys()])].sort();
  const verdict = await verifyOrders(verifier, orderIds, before);
  return { ...verdict, nextOrderId: more ? upTo : '' };
};

/**
 * Verifies the chains of exactly these orders, like `verifyOrdersPage`.
 * @param before evidence that was read already; without it, the evidence is read here.
 */
export const verifyOrders = (
  verifier: Verifier,
  orderIds: readonly string[],
  before?: ReadonlyMap<string, Evidence>,
): Promise<OrdersVerdict> =>
  confirmed(
    () => compareOrders(verifier, orderIds, before),
    verifier.unconfirmed,
    (suspects) => compareOrders(verifier, [...new Set(suspects.map(({ orderId }) => orderId))]),
  );

/**
 * Compares chains with the evidence of orders. Reads the evidence, then the chains in one snapshot,
 * then again the evidence of those chains that have more entries than the first evidence covers.
 */
const compareOrders = async (
  { db, evidence }: Verifier,
  orderIds: readonly string[],
  readBefore?: ReadonlyMap<string, Evidence>,
): Promise<OrdersVerdict> => {
  const before = readBefore ?? (await evidence.of(orderIds));
  const chains = await readChains(db, orderIds);
  const moved = chains.filter(({ orderId, entries }) =>
    needsLaterEvidence(entries, before.get(orderId) ?? null),
  );
  const after = await evidence.of(moved.map(({ orderId }) => orderId));
  const compared = chains.map((chain): StoredChain & Compared => ({
    ...chain,
    before: before.get(chain.orderId) ?? null,
    after: after.get(chain.orderId) ?? null,
  }));
  return {
    orderIds,
    entries: chains.reduce((sum, chain) => sum + chain.entries.length, 0),
    delayed: compared.filter(isDelayed).length,
    violations: compared.flatMap((chain) => checkChain(chain) ?? checkEvidence(chain) ?? []),
  };
};
