import { identityOf, type Violation } from '../verification/violation.ts';
import { auditPage } from './audit-all.ts';
import { auditNew } from './audit-new.ts';
import type { Auditing } from './auditing.ts';
import { type AuditorState, fullStart } from './state.ts';

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
  /**
   * The remaining budget in entries, leaves and notes; negative if the last page had more of them
   * than the budget allowed.
   */
  readonly budget: number;
}

/**
 * Runs one audit pass: audits what is new, then pages of the full audit until the budget is spent
 * or the full audit is complete.
 * @param budget number of entries, leaves and notes.
 */
export const auditPass = async (
  auditing: Auditing,
  from: AuditorState,
  budget: number,
): Promise<Pass> => {
  const audited = await auditNew(auditing, from);
  const violations = [...audited.violations];
  let state = withFound(audited.state, audited.violations);
  let left = budget;
  while (left > 0) {
    const step = await auditPage(auditing, state);
    violations.push(...step.violations);
    state = withFound({ ...state, full: step.progress }, step.violations);
    left -= Math.max(1, step.read);
    if (!step.completed) continue;
    const { found } = state.full;
    const fullCompletedAt = new Date().toISOString();
    // violations among the new entries of this pass also count for the next full audit
    state = withFound({ ...state, full: fullStart, fullCompletedAt }, audited.violations);
    const completed = found.length < foundMax ? found : null;
    return { state, violations, completed, budget: left };
  }
  return { state, violations, completed: null, budget: left };
};

const withFound = (state: AuditorState, violations: readonly Violation[]): AuditorState => {
  const found = new Set([...state.full.found, ...violations.map(identityOf)]);
  return { ...state, full: { ...state.full, found: [...found].slice(0, foundMax) } };
};
