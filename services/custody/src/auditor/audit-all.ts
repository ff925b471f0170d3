import { anchorStart, checkAnchor } from '../verification/check-anchor.ts';
import { verifyLog } from '../verification/verify-log.ts';
import { verifyOrdersPage } from '../verification/verify-orders.ts';
import { confirmed, type Violation } from '../verification/violation.ts';
import {
  type Auditing,
  type AuditorState,
  type FullProgress,
  foundMax,
  fullStart,
  type Pass,
  withFound,
} from './state.ts';

const ordersPerPage = 200;

interface Step {
  readonly progress: Partial<FullProgress>;
  readonly violations: readonly Violation[];
  /** Number of entries, leaves or notes that were read. */
  readonly read: number;
  /** Whether this step has completed the full audit. */
  readonly isComplete?: boolean;
}

/**
 * Audits one page of the full audit. The full audit reads all history again in three phases. The
 * first phase verifies every chain and compares it with the log and with the evidence of orders.
 * The second phase verifies the log from its first leaf. The third phase compares the anchor with
 * the database from the anchor's first note. Memory does not grow with the ledger.
 * @param newest violations of the last audit of new entries: if this page completes the full audit,
 *   they also count for the next one.
 * @returns the pass, and the number of entries, leaves and notes that were read.
 */
export const fullAuditPass = async (
  auditing: Auditing,
  from: AuditorState,
  newest: readonly Violation[],
): Promise<Pass & { read: number }> => {
  auditing.stopping.throwIfAborted();
  const step = await phases[from.full.phase](auditing, from);
  const { violations, isComplete = false } = step;
  const state = withFound({ ...from, full: { ...from.full, ...step.progress } }, violations);
  const read = Math.max(1, step.read);
  if (!isComplete) return { state, violations, completed: null, read, isComplete };
  const { found } = state.full;
  const fullCompletedAt = new Date().toISOString();
  return {
    state: withFound({ ...state, full: fullStart, fullCompletedAt }, newest),
    violations,
    completed: found.length < foundMax ? found : null,
    read,
    isComplete,
  };
};

const auditOrders = async (auditing: Auditing, { full }: AuditorState): Promise<Step> => {
  const { afterOrderId } = full;
  const page = await verifyOrdersPage(auditing, { afterOrderId, pageSize: ordersPerPage });
  auditing.verified(page.entries);
  const next = page.nextOrderId === '' ? ({ phase: 'log' } as const) : {};
  return {
    progress: { ...next, afterOrderId: page.nextOrderId },
    violations: page.violations,
    read: page.entries,
  };
};

/**
 * Verifies a page of the log. That the log's history has not changed since an earlier audit follows
 * from the audit of new entries: it compares the tiles with the newest verified checkpoint, and
 * this audit compares the leaves with the tiles.
 */
const auditLog = async (auditing: Auditing, { full }: AuditorState): Promise<Step> => {
  const page = await confirmed(auditing, () => verifyLog(auditing.db, full.log));
  auditing.verified(page.leaves.length);
  const next = page.ended ? ({ phase: 'anchor', anchor: anchorStart } as const) : {};
  return {
    progress: { ...next, log: page.reached },
    violations: page.violations,
    read: page.leaves.length,
  };
};

const auditAnchored = async (auditing: Auditing, { full }: AuditorState): Promise<Step> => {
  const page = await confirmed(auditing, () =>
    checkAnchor(auditing.db, auditing.anchor, full.anchor),
  );
  return {
    progress: { anchor: page.reached },
    violations: page.violations,
    read: page.notes,
    isComplete: page.ended,
  };
};

const phases = { orders: auditOrders, log: auditLog, anchor: auditAnchored };
