import { contradiction } from '../checkpoints/contradiction.ts';
import { logSizes } from '../checkpoints/stored-checkpoints.ts';
import { checkAnchor } from '../verification/check-anchor.ts';
import { checkNewEntry } from '../verification/check-evidence.ts';
import type { StoredLeaf } from '../verification/check-leaf.ts';
import { confirmed } from '../verification/confirm.ts';
import { verifyLog } from '../verification/verify-log.ts';
import { logViolation, type Violation } from '../verification/violation.ts';
import { auditIndex } from './audit-index.ts';
import { auditSignatures } from './audit-signatures.ts';
import { type Auditing, type AuditorState, toPosition, toRange } from './state.ts';

interface Audited {
  readonly state: AuditorState;
  readonly violations: readonly Violation[];
}

/**
 * Audits what is new since the stored state: leaves with their entries, their links and the
 * evidence of orders; tiles, checkpoints and signatures; the order index; the anchor. Time is
 * proportional to the amount of new data. If a page of the log contradicts itself or the stored
 * state, the state keeps the position before that page.
 */
export const auditNew = async (auditing: Auditing, from: AuditorState): Promise<Audited> => {
  const violations: Violation[] = [];
  let state = from;
  for (const part of [auditHistory, auditLeaves, auditIndex, auditAnchor, auditKeys]) {
    const found = await part(auditing, state);
    state = found.state;
    violations.push(...found.violations);
  }
  return { state, violations };
};

/** Verifies that the log still agrees with the newest verified checkpoint. */
const auditHistory = async (auditing: Auditing, state: AuditorState): Promise<Audited> => {
  const { note } = state;
  if (note === null) return { state, violations: [] };
  const check = async () => {
    // in one snapshot the newest verified checkpoint covers a prefix of the log. A missing tile
    // counts as a contradiction
    const reason = await auditing.db.snapshot(async (sql) =>
      contradiction(sql, (await logSizes(sql)).leaves, [note]).catch(
        (error: Error) => error.message,
      ),
    );
    return { violations: reason === null ? [] : [logViolation(reason)] };
  };
  return { state, ...(await confirmed(check, auditing.unconfirmed)) };
};

const auditLeaves = async (auditing: Auditing, from: AuditorState): Promise<Audited> => {
  const violations: Violation[] = [];
  for (let range = toRange(from.log); ; ) {
    auditing.stopping.throwIfAborted();
    const check = () => verifyLog(auditing.db, range);
    const page = await confirmed(check, auditing.unconfirmed);
    violations.push(...page.violations, ...(await compareWithOrders(auditing, page.leaves)));
    auditing.verified(page.leaves.length);
    range = page.range;
    if (page.ended) return { state: { ...from, log: toPosition(range) }, violations };
  }
};

/**
 * Compares entries with what orders produced. The evidence is read after the leaves, so the
 * evidence must contain each entry.
 */
const compareWithOrders = async (
  { evidence, unconfirmed }: Auditing,
  leaves: readonly StoredLeaf[],
): Promise<readonly Violation[]> => {
  const entries = leaves.flatMap(({ entry }) => entry ?? []);
  const check = async (of = entries) => {
    const known = await evidence.of([...new Set(of.map(({ order_id: orderId }) => orderId))]);
    return {
      violations: of.flatMap(
        (entry) => checkNewEntry(entry, known.get(entry.order_id) ?? null) ?? [],
      ),
    };
  };
  const again = (suspects: readonly Violation[]) => {
    const orderIds = new Set(suspects.map(({ orderId }) => orderId));
    return check(entries.filter(({ order_id: orderId }) => orderIds.has(orderId)));
  };
  return (await confirmed(check, unconfirmed, again)).violations;
};

const auditAnchor = async (auditing: Auditing, from: AuditorState): Promise<Audited> => {
  const violations: Violation[] = [];
  for (let progress = from.anchor; ; ) {
    auditing.stopping.throwIfAborted();
    const check = () => checkAnchor(auditing.db, auditing.anchor, progress);
    const page = await confirmed(check, auditing.unconfirmed);
    violations.push(...page.violations);
    progress = page.reached;
    if (page.ended) return { state: { ...from, anchor: progress }, violations };
  }
};

const auditKeys = async (auditing: Auditing, state: AuditorState): Promise<Audited> => {
  const check = () => auditSignatures(auditing.db, state);
  const { violations, vkeys, note } = await confirmed(check, auditing.unconfirmed);
  return { state: { ...state, vkeys, note }, violations };
};
