import { setTimeout as sleep } from 'node:timers/promises';

/**
 * A contradiction in the ledger: a state that no interleaving of correct processes can produce
 * (decision 53). An event that custody has not stored yet is a delay and never a violation.
 */
export interface Violation {
  /** Empty if the violation concerns no single order. */
  readonly orderId: string;
  /** Empty if the violation concerns no single entry. */
  readonly entryId: string;
  /** A sentence for operators. */
  readonly reason: string;
}

/** Creates a violation of the log, which concerns no single order. */
export const logViolation = (reason: string): Violation => ({ orderId: '', entryId: '', reason });

/** Returns the identity of a violation: equal if the same contradiction is found twice. */
export const identityOf = ({ orderId, entryId, reason }: Violation): string =>
  JSON.stringify([orderId, entryId, reason]);

/**
 * Delay before the second read. Custody's transactions are short: those that were in progress
 * during the first read have usually ended by then.
 */
const secondReadMs = 250;

/**
 * Returns a check's result with only those violations that a second, later read shows again
 * (decision 53).
 * @param verifier.unconfirmed called with each violation that the second read does not show.
 */
export const confirmed = async <Result extends { readonly violations: readonly Violation[] }>(
  { unconfirmed }: { readonly unconfirmed: (violation: Violation) => void },
  check: () => Promise<Result>,
): Promise<Result> => {
  const first = await check();
  if (first.violations.length === 0) return first;
  await sleep(secondReadMs);
  const second = new Set((await check()).violations.map(identityOf));
  const holds = (violation: Violation) => second.has(identityOf(violation));
  for (const violation of first.violations) if (!holds(violation)) unconfirmed(violation);
  return { ...first, violations: first.violations.filter(holds) };
};
