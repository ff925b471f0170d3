import { checkAnchor } from '../verification/check-anchor.ts';
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
  const step = await auditPage(auditing, from.full);
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

/**
 * That the log's history has not changed since an earlier audit follows from the audit of new
 * entries: it compares the tiles with the newest verified checkpoint, and the phase `log` compares
 * the leaves with the tiles.
 */
const auditPage = async (
  auditing: Auditing,
  { phase, afterOrderId, log, anchor }: FullProgress,
): Promise<Step> => {
  if (phase === 'orders') {
    const page = await verifyOrdersPage(auditing, { afterOrderId, pageSize: ordersPerPage });
    auditing.verified(page.entries);
    const next = page.nextOrderId === '' ? 'log' : phase;
    const progress = { phase: next, afterOrderId: page.nextOrderId } as const;
    return { progress, violations: page.violations, read: page.entries };
  }
  if (phase === 'log') {
    const page = await confirmed(auditing, () => verifyLog(auditing.db, log));
    auditing.verified(page.leaves.length);
    const progress = { phase: page.ended ? 'anchor' : phase, log: page.reached } as const;
    return { progress, violations: page.violations, read: page.leaves.length };
  }
  const page = await confirmed(auditing, () => checkAnchor(auditing.db, auditing.anchor, anchor));
  const { violations, notes: read, ended: isComplete } = page;
  return { progress: { anchor: page.reached }, violations, read, isComplete };
};
