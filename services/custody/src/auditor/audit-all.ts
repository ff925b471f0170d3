import { anchorStart, checkAnchor } from '../verification/check-anchor.ts';
import type { CompactRange } from '../verification/compact-range.ts';
import { confirmed } from '../verification/confirm.ts';
import { verifyLog } from '../verification/verify-log.ts';
import { verifyOrdersPage } from '../verification/verify-orders.ts';
import { logViolation, type Violation } from '../verification/violation.ts';
import {
  type Auditing,
  type AuditorState,
  type FullProgress,
  toPosition,
  toRange,
} from './state.ts';

const ordersPerPage = 200;

export interface Step {
  readonly progress: FullProgress;
  readonly violations: readonly Violation[];
  /** Number of entries, leaves and notes that were read. */
  readonly read: number;
  /** Whether this step has completed the full audit. */
  readonly completed: boolean;
}

/**
 * Audits one page of the full audit. The full audit reads all history again in three phases. The
 * first phase verifies every chain and compares it with the log and with the evidence of orders.
 * The second phase verifies the log from its first leaf. The third phase compares the anchor with
 * the database from the anchor's first note. Memory does not grow with the ledger.
 */
export const auditPage = (auditing: Auditing, state: AuditorState): Promise<Step> => {
  auditing.stopping.throwIfAborted();
  return phases[state.full.phase](auditing, state);
};

const auditOrders = async (auditing: Auditing, { full }: AuditorState): Promise<Step> => {
  const { afterOrderId } = full;
  const page = await verifyOrdersPage(auditing, { afterOrderId, pageSize: ordersPerPage });
  auditing.verified(page.entries);
  const next = page.nextOrderId === '' ? ({ phase: 'log' } as const) : {};
  return {
    progress: { ...full, ...next, afterOrderId: page.nextOrderId },
    violations: page.violations,
    read: page.entries,
    completed: false,
  };
};

const auditLog = async (auditing: Auditing, { full, log }: AuditorState): Promise<Step> => {
  const from = toRange(full.log);
  const check = async () => {
    const page = await verifyLog(auditing.db, from);
    const changed = historyChanged(from, page.leaves, toRange(log));
    return { ...page, violations: [...page.violations, ...changed] };
  };
  const page = await confirmed(check, auditing.unconfirmed);
  auditing.verified(page.leaves.length);
  const next = page.ended ? ({ phase: 'anchor', anchor: anchorStart } as const) : {};
  return {
    progress: { ...full, ...next, log: toPosition(page.range) },
    violations: page.violations,
    read: page.leaves.length,
    completed: false,
  };
};

/**
 * Returns a violation if the page contains the leaf at which the audit of new entries has ended,
 * and the root at that position is not the root which that audit has verified: the log's history
 * has changed since. Pure.
 * @param from position before the page. @param leaves the page. @param audited position and root of
 *   the audit of new entries.
 */
export const historyChanged = (
  from: CompactRange,
  leaves: readonly { leaf_hash: string }[],
  audited: CompactRange,
): Violation[] => {
  if (audited.size <= from.size || audited.size > from.size + leaves.length) return [];
  const range = from.copy();
  for (const leaf of leaves.slice(0, audited.size - from.size))
    range.add(Buffer.from(leaf.leaf_hash, 'hex'));
  if (Buffer.from(range.root).equals(audited.root)) return [];
  return [logViolation(`the first ${audited.size} leaves are not those that were audited before`)];
};

const auditAnchored = async (auditing: Auditing, { full }: AuditorState): Promise<Step> => {
  const check = () => checkAnchor(auditing.db, auditing.anchor, full.anchor);
  const page = await confirmed(check, auditing.unconfirmed);
  return {
    progress: { ...full, anchor: page.reached },
    violations: page.violations,
    read: page.notes,
    completed: page.ended,
  };
};

const phases = { orders: auditOrders, log: auditLog, anchor: auditAnchored };
