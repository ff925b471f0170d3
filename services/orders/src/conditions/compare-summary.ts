import { invalid } from '@pto/errors';
import type { ConditionSummary } from './summarize.ts';
import { millionths } from './units.ts';

/** What the sender of readings says about them. An absent member is not compared. */
export type ClaimedSummary = Partial<
  Pick<ConditionSummary, 'count' | 'minimum' | 'maximum' | 'mean'>
>;

const members = ['count', 'minimum', 'maximum', 'mean'] as const;

/** Half of the second decimal: a value that the sender has rounded to 2 decimals is equal. */
const tolerance = millionths(0.005);

/**
 * Compares a claimed summary with the one of the readings. The count is compared exactly, values to
 * within 0.005.
 * @throws Failure VALIDATION at `["summary", NAME]` for the first member that differs
 */
export const compareSummary = (
  claimed: ClaimedSummary,
  computed: Required<ClaimedSummary>,
): void => {
  for (const member of members) {
    const [claim, actual] = [claimed[member], computed[member]];
    if (claim === undefined) continue;
    const difference = Math.abs(millionths(claim) - millionths(actual));
    if (!(difference <= (member === 'count' ? 0 : tolerance)))
      throw invalid(['summary', member], `the readings give ${actual}`, claim);
  }
};
