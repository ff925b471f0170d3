import { contradiction, logSizes } from '../checkpoints/stored-checkpoints.ts';
import { checkAnchor } from '../verification/check-anchor.ts';
import { checkNewEntry } from '../verification/check-evidence.ts';
import type { StoredLeaf } from '../verification/check-leaf.ts';
import { verifyLog } from '../verification/verify-log.ts';
import { confirmed, logViolation, type Violation } from '../verification/violation.ts';
import { auditIndex } from './audit-index.ts';
import { auditSignatures } from './audit-signatures.ts';
import { type Audited, type Auditing, type AuditorState, type Pass, withFound } from './state.ts';

/**
 * Audits what is new since the stored state: leaves with their entries, their links and the
 * evidence of orders; tiles, checkpoints and signatures; the order index; the anchor. Time is
 * proportional to the amount of new data. If a page of the log contradicts itself or the stored
 * state, the state keeps the position before that page. While the log contradicts the newest verified
 * checkpoint, the state keeps all positions: it stays that of the verified history, so that nothing
 * is reported of this history when it is restored.
 */
export const newEntriesPass = async (auditing: Auditing, from: AuditorState): Promise<Pass> => {
  const violations = [...(await auditHistory(auditing, from))];
  const isOtherHistory = violations.length > 0;
  let state = from;
  for (const part of [auditLeaves, auditIndex, auditAnchor, auditKeys]) {
    const found = await part(auditing, state);
    state = found.state;
    violations.push(...found.violations);
  }
  return {
    state: withFound(isOtherHistory ? from : state, violations),
    violations,
    completed: null,
    isComplete: false,
  };
};

/** Verifies that the log still agrees with the newest verified checkpoint. */
const auditHistory = async (
  auditing: Auditing,
  { note }: AuditorState,
): Promise<readonly Violation[]> => {
  if (note === null) return [];
  const { violations } = await confirmed(auditing, async () => {
    // in one snapshot the newest verified checkpoint covers a prefix of the log. A missing tile
    // counts as a contradiction
    const reason = await auditing.db.snapshot(async (sql) =>
      contradiction(sql, (await logSizes(sql)).leaves, [note]).catch(
        (error: Error) => error.message,
      ),
    );
    return { violations: reason === null ? [] : [logViolation(reason)] };
  });
  return violations;
};

const auditLeaves = async (auditing: Auditing, from: AuditorState): Promise<Audited> => {
  const violations: Violation[] = [];
  for (let log = from.log; ; ) {
    auditing.stopping.throwIfAborted();
    const before = log;
    const page = await confirmed(auditing, () => verifyLog(auditing.db, before));
    violations.push(...page.violations, ...(await compareWithOrders(auditing, page.leaves)));
    auditing.verified(page.leaves.length);
    log = page.reached;
    if (page.ended) return { state: { ...from, log }, violations };
  }
};

/**
 * Compares entries with what orders produced. The evidence is read after the leaves, so the
 * evidence must contain each entry.
 */
const compareWithOrders = async (
  auditing: Auditing,
  leaves: readonly StoredLeaf[],
): Promise<readonly Violation[]> => {
  const entries = leaves.flatMap(({ entry }) => entry ?? []);
  const orderIds = [...new Set(entries.map((entry) => entry.order_id))];
  const { violations } = await confirmed(auditing, async () => {
    const known = await auditing.evidence.of(orderIds);
    return {
      violations: entries.flatMap((entry) => checkNewEntry(entry, known.get(entry.order_id))),
    };
  });
  return violations;
};

const auditAnchor = async (auditing: Auditing, from: AuditorState): Promise<Audited> => {
  const violations: Violation[] = [];
  for (let anchor = from.anchor; ; ) {
    auditing.stopping.throwIfAborted();
    const before = anchor;
    const page = await confirmed(auditing, () => checkAnchor(auditing.db, auditing.anchor, before));
    violations.push(...page.violations);
    anchor = page.reached;
    if (page.ended) return { state: { ...from, anchor }, violations };
  }
};

const auditKeys = async (auditing: Auditing, state: AuditorState): Promise<Audited> => {
  const check = () => auditSignatures(auditing.db, state);
  const { violations, vkeys, note } = await confirmed(auditing, check);
  return { state: { ...state, vkeys, note }, violations };
};
