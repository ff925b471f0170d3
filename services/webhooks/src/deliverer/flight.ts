import type { Egress } from '../egress/index.ts';
import type { SigningKeys } from '../secrets/signing-keys.ts';
import { attempt } from './attempt.ts';
import type { Claimed } from './claim.ts';
import type { DelivererMetrics } from './deliverer-metrics.ts';
import type { Finished } from './finished.ts';
import type { Flight } from './flights.ts';
import type { AttemptError, Outcome } from './outcome.ts';
import type { Recorder } from './recorder.ts';
import { attemptsMax, type Verdict, verdictOn } from './verdict.ts';

interface FlightDeps {
  readonly egress: Egress;
  readonly signingKeys: SigningKeys;
  readonly metrics: DelivererMetrics;
  readonly recorder: Recorder;
  readonly retryWaitsMs: readonly number[];
  readonly attemptTimeoutMs: number;
  /** Once aborted, what lands is not recorded any more: nobody knows whether it was received. */
  readonly abandoned: AbortSignal;
}

/**
 * Begins the attempt that was claimed. It lands when its result is recorded.
 * @param latest when it must have ended, its lease being near its end; ms since the epoch.
 */
export const begin = (claimed: Claimed, latest: number, deps: FlightDeps): Flight => {
  const ended = new AbortController();
  const { promise: answered, resolve } = Promise.withResolvers<void>();
  const landed = fly(claimed, latest, { signal: ended.signal, answered: resolve }, deps);
  landed.then(resolve);
  return { claimed, ended, answered, landed };
};

const fly = async (
  claimed: Claimed,
  latest: number,
  { signal, answered }: { signal: AbortSignal; answered: () => void },
  deps: FlightDeps,
): Promise<void> => {
  if (claimed.number > attemptsMax(deps.retryWaitsMs)) {
    const verdict: Verdict = { state: 'EXHAUSTED' };
    return deps.recorder.add({ ...named(claimed), attempt: null, verdict });
  }
  const timeoutMs = Math.min(deps.attemptTimeoutMs, latest - Date.now());
  // too late to be sure that nobody else begins: the lease ends, and the next claim records it
  if (timeoutMs <= 0) return;
  if (claimed.number === 1 && !claimed.again)
    deps.metrics.firstAttempt(claimed.firstAttemptAt - claimed.createdAt);
  const at = new Date();
  const outcome = await attempt(deps, claimed, { timeoutMs, signal });
  answered();
  if (deps.abandoned.aborted) return;
  const endedAt = new Date();
  const durationMs = endedAt.getTime() - at.getTime();
  deps.metrics.count(outcome, durationMs);
  await deps.recorder.add({
    ...named(claimed),
    attempt: { at, endedAt, durationMs, ...answer(outcome), counts: countsForHealth(outcome) },
    verdict: verdict(claimed, outcome, deps.retryWaitsMs, endedAt.getTime()),
  });
};

const named = ({ deliveryId, endpointId, urlVersion, number }: Claimed) => ({
  deliveryId,
  endpointId,
  urlVersion,
  number,
});

const answer = (
  outcome: Outcome,
): Pick<NonNullable<Finished['attempt']>, 'statusCode' | 'error'> =>
  'error' in outcome
    ? { statusCode: null, error: outcome.error }
    : { statusCode: outcome.statusCode, error: null };

/** What we gave up ourselves, or could not sign, or not send, is not the endpoint's failure. */
const ours: readonly AttemptError[] = ['aborted', 'unsigned', 'proxy'];

const countsForHealth = (outcome: Outcome): boolean =>
  !('error' in outcome && ours.includes(outcome.error));

/** An attempt that was recalled ends its delivery: by the reason that the record finds. */
const verdict = (
  { number, firstAttemptAt }: Claimed,
  outcome: Outcome,
  waitsMs: readonly number[],
  now: number,
): Verdict =>
  'error' in outcome && outcome.error === 'aborted'
    ? { state: 'PENDING', waitMs: 0 }
    : verdictOn({ outcome, number, firstAttemptAt }, waitsMs, now, Math.random());
