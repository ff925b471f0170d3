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
  /** Orders with events that the ledger does not hold yet. */
  readonly delayed: number;
  readonly violations: readonly Violation[];
}

/** Where violations are confirmed; told of each one that a second read did not show again. */
export interface Verifier {
  readonly db: Database;
  readonly evidence: EvidenceSource;
  readonly unconfirmed: (violation: Violation) => void;
}

/**
 * Compares the next chains, in the order of their order ids, with themselves, with the log and with
 * what orders knows; also orders whose chain is gone. A violation is confirmed by a second read.
 * @returns the verdict, and the last order id of the page: empty after the last page.
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

/** The same for exactly these orders. */
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

/** Reads the evidence, then the chains in one snapshot, then the evidence of those that moved. */
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
