import type { Logger } from '@pto/telemetry';
import type { Egress } from '../egress/egress.ts';
import type { SigningKeys } from '../secrets/sign.ts';
import { attempt } from './attempt.ts';
import type { Claimed } from './claim.ts';
import type { InFlight } from './in-flight.ts';
import type { DelivererMetrics } from './metrics.ts';
import type { Recorder } from './record.ts';
import { type AttemptError, attemptsMax, type Verdict, verdictOn } from './retry-schedule.ts';

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
 * Makes the attempt of a claimed delivery and records its result. If `plan.latest` has passed, it
 * sends nothing, records nothing, and the lease is lost.
 */
export const runAttempt = async (
  claimed: Claimed,
  { turn, latest }: AttemptPlan,
  { signal, ended }: InFlight,
  { recorder, metrics, abandoned, ...deps }: AttemptDeps,
): Promise<void> => {
  await turn;
  if (claimed.scheduled > attemptsMax(deps.retryWaitsMs))
    return recorder.add({ ...claimed, attempt: null, verdict: { state: 'EXHAUSTED' } });
  if (signal.aborted) return recorder.add({ ...claimed, attempt: null, verdict: recalled });
  const timeoutMs = Math.min(deps.attemptTimeoutMs, latest - performance.now());
  // an attempt now could outlast its lease, and another process could attempt the delivery too
  if (timeoutMs <= 0) return;
  if (claimed.number === 1 && !claimed.again)
    metrics.firstAttempt(claimed.firstAttemptAt - claimed.createdAt);
  const at = new Date(claimed.clock());
  const begunAt = performance.now();
  const outcome = await attempt(deps, claimed, { timeoutMs, signal });
  ended();
  if (abandoned.aborted) return;
  const endedAt = new Date(claimed.clock());
  const durationMs = Math.round(performance.now() - begunAt);
  metrics.count(outcome, durationMs);
  const error = 'error' in outcome ? outcome.error : null;
  const statusCode = 'error' in outcome ? null : outcome.statusCode;
  const { scheduled: number, firstAttemptAt } = claimed;
  await recorder.add({
    ...claimed,
    attempt: { at, endedAt, statusCode, error, durationMs, counts: !ours.includes(error) },
    verdict:
      error === 'aborted'
        ? recalled
        : verdictOn(
            { outcome, number, firstAttemptAt },
            deps.retryWaitsMs,
            endedAt.getTime(),
            Math.random(),
          ),
  });
};

/** Errors that the receiver did not cause: they do not count for the endpoint's health. */
const ours: readonly (AttemptError | null)[] = ['aborted', 'unsigned', 'proxy'];

/**
 * Verdict on a recalled attempt. record.ts ends the delivery, because its generation is older than
 * the endpoint's.
 */
const recalled: Verdict = { state: 'PENDING', waitMs: 0 };
