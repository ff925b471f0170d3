import type { Logger } from '@pto/telemetry';
import type { Egress } from '../egress/egress.ts';
import type { SigningKeys } from '../secrets/sign.ts';
import { attempt } from './attempt.ts';
import type { Claimed } from './claim.ts';
import type { InFlightAttempt } from './in-flight.ts';
import type { DelivererMetrics } from './metrics.ts';
import type { Finished } from './record.ts';
import type { Recorder } from './recorder.ts';
import type { AttemptError, Outcome } from './retry-schedule.ts';
import { attemptsMax, type Verdict, verdictOn } from './retry-schedule.ts';

interface AttemptDeps {
  readonly egress: Egress;
  readonly signingKeys: SigningKeys;
  readonly metrics: DelivererMetrics;
  readonly log: Logger;
  readonly recorder: Recorder;
  readonly retryWaitsMs: readonly number[];
  readonly attemptTimeoutMs: number;
  /**
   * Aborted when the deliverer stops waiting: the result of an attempt that ends later is not
   * recorded, and the next claim finds a lost lease.
   */
  readonly abandoned: AbortSignal;
}

export interface AttemptPlan {
  /** Resolves when the attempt may start. */
  readonly turn: Promise<void>;
  /** Deadline of the attempt, shortly before its lease ends, by `performance.now()`. */
  readonly latest: number;
}

/**
 * Starts the attempt of a claimed delivery and records its result. If `plan.latest` has passed, it
 * sends nothing, records nothing, and the lease is lost.
 */
export const startAttempt = (
  claimed: Claimed,
  plan: AttemptPlan,
  deps: AttemptDeps,
): InFlightAttempt => {
  const abort = new AbortController();
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const recorded = run(claimed, plan, { signal: abort.signal, ended: resolve }, deps);
  recorded.then(resolve);
  return { claimed, abort, ended, recorded };
};

const run = async (
  claimed: Claimed,
  { turn, latest }: AttemptPlan,
  { signal, ended }: { signal: AbortSignal; ended: () => void },
  deps: AttemptDeps,
): Promise<void> => {
  await turn;
  if (claimed.scheduled > attemptsMax(deps.retryWaitsMs))
    return deps.recorder.add(unmade(claimed, { state: 'EXHAUSTED' }));
  if (signal.aborted) return deps.recorder.add(unmade(claimed, recalled));
  const timeoutMs = Math.min(deps.attemptTimeoutMs, latest - performance.now());
  // an attempt now could outlast its lease, and another process could attempt the delivery too
  if (timeoutMs <= 0) return;
  if (claimed.number === 1 && !claimed.again)
    deps.metrics.firstAttempt(claimed.firstAttemptAt - claimed.createdAt);
  const at = new Date(claimed.clock());
  const begunAt = performance.now();
  const outcome = await attempt(deps, claimed, { timeoutMs, signal });
  ended();
  if (deps.abandoned.aborted) return;
  const endedAt = new Date(claimed.clock());
  const durationMs = Math.round(performance.now() - begunAt);
  deps.metrics.count(outcome, durationMs);
  await deps.recorder.add({
    ...named(claimed),
    attempt: { at, endedAt, durationMs, ...resultOf(outcome), counts: countsForHealth(outcome) },
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

const resultOf = (
  outcome: Outcome,
): Pick<NonNullable<Finished['attempt']>, 'statusCode' | 'error'> =>
  'error' in outcome
    ? { statusCode: null, error: outcome.error }
    : { statusCode: outcome.statusCode, error: null };

/** Errors that the receiver did not cause: they do not count for the endpoint's health. */
const ours: readonly AttemptError[] = ['aborted', 'unsigned', 'proxy'];

const countsForHealth = (outcome: Outcome): boolean =>
  !('error' in outcome && ours.includes(outcome.error));

/**
 * Verdict on a recalled attempt. record.ts ends the delivery, because its generation is older than
 * the endpoint's.
 */
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
