import { identityOf, type Violation } from '../verification/violation.ts';
import { auditPage } from './audit-all.ts';
import { auditNew } from './audit-new.ts';
import { type Auditing, type AuditorState, fullStart } from './state.ts';

/**
 * Maximum number of violations that a full audit remembers. If it finds that many or more, no
 * stored violation is resolved at its end.
 */
const foundMax = 10_000;

export interface Pass {
  readonly state: AuditorState;
  readonly violations: readonly Violation[];
  /**
   * Identities of the violations that a full audit has found; null if this pass completed no full
   * audit, or if the full audit found `foundMax` violations or more.
   */
  readonly completed: readonly string[] | null;
  /** Whether this pass completed a full audit. */
  readonly isComplete: boolean;
}

/** Audits what is new since the stored state. */
export const newEntriesPass = async (auditing: Auditing, from: AuditorState): Promise<Pass> => {
  const { state, violations } = await auditNew(auditing, from);
  return { state: withFound(state, violations), violations, completed: null, isComplete: false };
};

/**
 * Audits one page of the full audit.
 * @param newest violations of the last audit of new entries: if this page completes the full audit,
 *   they also count for the next one.
 * @returns the pass, and the number of entries, leaves and notes that were read.
 */
export const fullAuditPass = async (
  auditing: Auditing,
  from: AuditorState,
  newest: readonly Violation[],
): Promise<Pass & { read: number }> => {
  const step = await auditPage(auditing, from);
  const { violations, completed: isComplete } = step;
  const read = Math.max(1, step.read);
  const state = withFound({ ...from, full: step.progress }, violations);
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

const withFound = (state: AuditorState, violations: readonly Violation[]): AuditorState => {
  const found = new Set([...state.full.found, ...violations.map(identityOf)]);
  return { ...state, full: { ...state.full, found: [...found].slice(0, foundMax) } };
};
