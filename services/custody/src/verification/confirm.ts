import { setTimeout as sleep } from 'node:timers/promises';
import { identityOf, type Violation } from './violation.ts';

/**
 * Delay before the second read. Custody's transactions are short: those that were in progress
 * during the first read have usually ended by then.
 */
const secondReadMs = 250;

interface Checked {
  readonly violations: readonly Violation[];
}

/**
 * Returns a check's result with only those violations that a second, later read shows again
 * (decision 53).
 * @param unconfirmed called with each violation that the second read does not show.
 * @param again repeats the check, at least for the given violations.
 */
export const confirmed = async <Result extends Checked>(
  check: () => Promise<Result>,
  unconfirmed: (violation: Violation) => void,
  again: (suspects: readonly Violation[]) => Promise<Checked> = check,
): Promise<Result> => {
  const first = await check();
  if (first.violations.length === 0) return first;
  await sleep(secondReadMs);
  const second = new Set((await again(first.violations)).violations.map(identityOf));
  const holds = (violation: Violation) => second.has(identityOf(violation));
  for (const violation of first.violations) if (!holds(violation)) unconfirmed(violation);
  return { ...first, violations: first.violations.filter(holds) };
};
