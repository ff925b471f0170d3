import { identityOf, type Violation } from '../verification/violation.ts';
import { auditPage } from './audit-all.ts';
import { auditNew } from './audit-new.ts';
import type { Auditing } from './auditing.ts';
import { type AuditorState, fullStart } from './state.ts';

/** Identities of violations that a full audit remembers; beyond, none is resolved at its end. */
const foundMax = 10_000;

export interface Pass {
  readonly state: AuditorState;
  readonly violations: readonly Violation[];
  /** What a full audit found that this pass completed; null where it did not complete one. */
  readonly completed: readonly string[] | null;
  /** What is left of the budget; negative where the last page was larger. */
  readonly budget: number;
}

/**
 * One pass: all that is new, and then as many pages of the full audit as the budget allows, at most
 * to its end.
 * @param budget entries, leaves and notes.
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
    // what this pass found counts for the next full audit as well
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
