import { TransportOrdersError } from '../../../typescript/src/index.ts';
import { explain } from '../explain.ts';
import { type Attempt, type Check, type Result, Seen, Unmet } from './check.ts';
import { attemptText } from './deliver.ts';
import type { Trial } from './trial.ts';

/**
 * Runs a check.
 * @param site URL of the documentation site.
 * @throws the reason of the signal.
 */
export const runCheck = async (check: Check, trial: Trial, site: string): Promise<Result> => {
  const { name, does, fix, section } = check;
  const seen = new Seen(name);
  const missing = (await check.missing?.(trial)) ?? null;
  const fault = missing === null ? await faultOf(check, trial, seen) : null;
  const failed = seen.attempts.filter(({ ok }) => !ok);
  const isFailed = fault !== null || failed.length > 0;
  return {
    name,
    result: missing !== null ? 'skipped' : isFailed ? 'failed' : 'passed',
    did: does,
    saw: missing ?? sawText(seen, fault),
    fix: isFailed ? fixText(fix, failed) : null,
    documentation: `${site}/${section}`,
    evidence: { orders: seen.orders, attempts: seen.attempts, facts: seen.facts },
  };
};

/** Runs a check. Returns the fault that ended it, null without one. */
const faultOf = async (check: Check, trial: Trial, seen: Seen): Promise<string | null> => {
  try {
    trial.signal.throwIfAborted();
    await check.run(trial, seen);
    return null;
  } catch (error) {
    if (trial.signal.aborted) throw trial.signal.reason;
    if (error instanceof Unmet) return error.message;
    if (error instanceof TransportOrdersError) return explain(error);
    throw error;
  }
};

/** Returns what to do: that of the check, or what helps first. */
const fixText = (fix: string, failed: readonly Attempt[]): string => {
  if (failed.some(({ error }) => error?.includes('ECONNREFUSED')))
    return 'Nothing listens there: start the receiver, and look at the URL of --forward-to.';
  const hasFailedAtForgery = failed.some(
    ({ expected, status }) => expected === '4xx' && status !== null && status >= 500,
  );
  return hasFailedAtForgery ? `${fix} A 5xx means that the sender tries again.` : fix;
};

/** Attempts that are shown of those that are as expected. */
const shownMax = 3;

/** Returns what was seen, what is wrong first. */
const sawText = ({ attempts, facts }: Seen, fault: string | null): string => {
  const failed = attempts.filter(({ ok }) => !ok).map(attemptText);
  if (fault !== null) return [fault, ...failed, ...facts].join('; ');
  if (failed.length > 0) return failed.join('; ');
  const shown = attempts.slice(0, shownMax).map(attemptText);
  const more = attempts.length - shown.length;
  return [...shown, ...(more > 0 ? [`${more} more as expected`] : []), ...facts].join('; ');
};
