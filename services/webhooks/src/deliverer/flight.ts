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

interface FlightPlan {
  /** When it may begin. */
  readonly turn: Promise<void>;
  /** When it must have ended, its lease being near its end; by `performance.now()`. */
  readonly latest: number;
}

/** Makes the attempt that was claimed. It lands when its result is recorded. */
export const begin = (claimed: Claimed, plan: FlightPlan, deps: FlightDeps): Flight => {
  const ended = new AbortController();
  const { promise: answered, resolve } = Promise.withResolvers<void>();
  const landed = fly(claimed, plan, { signal: ended.signal, answered: resolve }, deps);
  landed.then(resolve);
  return { claimed, ended, answered, landed };
};

const fly = async (
  claimed: Claimed,
  { turn, latest }: FlightPlan,
  { signal, answered }: { signal: AbortSignal; answered: () => void },
  deps: FlightDeps,
): Promise<void> => {
  await turn;
  if (claimed.scheduled > attemptsMax(deps.retryWaitsMs))
    return deps.recorder.add(unmade(claimed, { state: 'EXHAUSTED' }));
  if (signal.aborted) return deps.recorder.add(unmade(claimed, recalled));
  const timeoutMs = Math.min(deps.attemptTimeoutMs, latest - performance.now());
  // too late to be sure that nobody else begins: the lease ends, and the next claim records it
  if (timeoutMs <= 0) return;
  if (claimed.number === 1 && !claimed.again)
    deps.metrics.firstAttempt(claimed.firstAttemptAt - claimed.createdAt);
  const at = new Date(claimed.clock());
  const begunAt = performance.now();
  const outcome = await attempt(deps, claimed, { timeoutMs, signal });
  answered();
  if (deps.abandoned.aborted) return;
  const endedAt = new Date(claimed.clock());
  const durationMs = Math.round(performance.now() - begunAt);
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

const unmade = (claimed: Claimed, verdict: Verdict): Finished => ({
  ...named(claimed),
  attempt: null,
  verdict,
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

/** Ends the delivery, by the reason that the record finds. */
const recalled: Verdict = { state: 'PENDING', waitMs: 0 };

const verdict = (
  { scheduled: number, firstAttemptAt }: Claimed,
  outcome: Outcome,
  waitsMs: readonly number[],
  now: number,
): Verdict =>
  'error' in outcome && outcome.error === 'aborted'
    ? recalled
    : verdictOn({ outcome, number, firstAttemptAt }, waitsMs, now, Math.random());
