import type { KeyObject } from 'node:crypto';
import type { Logger } from '@pto/telemetry';
import type { DatabaseClock } from '../database-clock.ts';
import type { Egress } from '../egress/egress.ts';
import { EgressError } from '../egress/egress-error.ts';
import { rehearsalAt, wasQueuedInRehearsal } from '../rehearsal/rehearsal.ts';
import { type SealedRow, type SigningKeys, signatureHeader } from '../secrets/sign.ts';
import type { Claimed } from './claim.ts';
import type { InFlight } from './in-flight.ts';
import type { DelivererMetrics } from './metrics.ts';
import type { Finished } from './record.ts';
import { responseText } from './response-text.ts';
import {
  type AttemptError,
  attemptsMax,
  isDuplicate,
  type Outcome,
  succeeded,
  type Verdict,
  verdictOn,
} from './retry-schedule.ts';

interface AttemptDeps extends PostDeps {
  readonly metrics: DelivererMetrics;
  /** Resolves when the result is recorded, or will not be. */
  readonly addResult: (finished: Finished) => Promise<void>;
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
  { addResult, metrics, abandoned, ...deps }: AttemptDeps,
): Promise<void> => {
  await turn;
  if (abandoned.aborted) return;
  if (claimed.scheduled > attemptsMax(deps.retryWaitsMs))
    return addResult({ ...claimed, attempt: null, verdict: { state: 'EXHAUSTED' } });
  if (signal.aborted) return addResult({ ...claimed, attempt: null, verdict: recalled });
  const timeoutMs = Math.min(deps.attemptTimeoutMs, latest - performance.now());
  // an attempt now could outlast its lease, and another process could attempt the delivery too
  if (timeoutMs <= 0) return;
  if (claimed.number === 1 && !claimed.again && !wasQueuedInRehearsal(claimed))
    metrics.firstAttempt(claimed.firstAttemptAt - claimed.createdAt);
  const at = new Date(claimed.clock());
  const begunAt = performance.now();
  const outcome = await post(deps, claimed, { timeoutMs, signal });
  ended();
  if (abandoned.aborted) return;
  const endedAt = new Date(claimed.clock());
  const durationMs = Math.round(performance.now() - begunAt);
  metrics.count(outcome, durationMs);
  const verdict = verdictFor(claimed, outcome, deps.retryWaitsMs, endedAt.getTime());
  const sentError = 'error' in outcome ? outcome.error : null;
  const error = isDuplicate(verdict) ? 'duplicate' : sentError;
  const statusCode = 'error' in outcome ? null : outcome.statusCode;
  const responseBody = 'error' in outcome ? null : (outcome.body ?? null);
  const counts = !ours.includes(error);
  const attempt = { at, endedAt, statusCode, error, durationMs, responseBody, counts };
  await addResult({ ...claimed, attempt, verdict });
};

/** Returns the verdict on an ended attempt. @param now milliseconds since the epoch. */
const verdictFor = (
  claimed: Claimed,
  outcome: Outcome,
  retryWaitsMs: readonly number[],
  now: number,
): Verdict => {
  if ('error' in outcome && outcome.error === 'aborted') return recalled;
  const { speed, faults } = rehearsalAt(claimed.rehearsal, now);
  if (faults.includes('duplicate') && !claimed.duplicated && succeeded(outcome))
    return { state: 'PENDING', waitMs: 0, duplicate: true };
  const { scheduled: number, firstAttemptAt } = claimed;
  const waits = retryWaitsMs.map((ms) => ms / speed);
  return verdictOn({ outcome, number, firstAttemptAt }, waits, now, Math.random());
};

/** Errors that the receiver did not cause: they do not count for the endpoint's health. */
const ours: readonly (AttemptError | null)[] = ['aborted', 'unsigned', 'proxy'];

/**
 * Verdict on a recalled attempt. record.ts ends the delivery, because its generation is older than
 * the endpoint's.
 */
const recalled: Verdict = { state: 'PENDING', waitMs: 0 };

/** One event for one endpoint, as a delivery or as a test request. */
export interface Posting {
  readonly deliveryId: string;
  readonly endpointId: string;
  readonly url: string;
  readonly secrets: readonly SealedRow[];
  readonly event: string;
  readonly payload: Uint8Array;
  /** The event's number in the endpoint's stream; 0 if it has none. */
  readonly sequence: number;
  /**
   * The clock of the signature's time. A receiver rejects a signature whose time differs by more
   * than 300 s from its own clock (contract 6.4).
   */
  readonly clock: DatabaseClock;
}

interface PostDeps {
  readonly egress: Egress;
  readonly signingKeys: SigningKeys;
  readonly log: Logger;
}

/** Maximum number of bytes of a response's body that are read (decision 39). */
export const responseMaxBytes = 64 * 1024;

/**
 * Sends one POST: signs with the current time (decision 38) and reads the response to its end or to
 * the limit. Never rejects: an error is an outcome. The error's cause is logged at debug level,
 * because an endpoint that is down causes one line for each attempt.
 */
export const post = async (
  deps: PostDeps,
  posting: Posting,
  limits: { timeoutMs: number; signal?: AbortSignal },
): Promise<Outcome> => {
  const { deliveryId, endpointId } = posting;
  const fail = (error: AttemptError, err: unknown): Outcome => {
    deps.log.debug(
      { err, deliveryId, endpointId, error },
      'an attempt failed without a valid response',
    );
    return { error };
  };
  let keys: readonly KeyObject[];
  try {
    keys = openKeys(deps.signingKeys, posting);
  } catch (error) {
    return fail('unsigned', error);
  }
  const t = Math.floor(posting.clock() / 1000);
  try {
    const { statusCode, retryAfter, body } = await deps.egress.request({
      endpointId,
      method: 'POST',
      url: new URL(posting.url),
      headers: {
        'Content-Type': 'application/json',
        'X-Service-Signature': signatureHeader(keys, t, posting.payload),
        'X-Service-Event': posting.event,
        'X-Service-Delivery': deliveryId,
        ...(posting.sequence > 0 && { 'X-Service-Sequence': String(posting.sequence) }),
      },
      body: posting.payload,
      responseMaxBytes,
      ...limits,
    });
    return { statusCode, retryAfter, body: responseText(body) };
  } catch (error) {
    return fail(error instanceof EgressError ? error.fault : 'protocol', error);
  }
};

/**
 * Returns the HMAC keys.
 * @throws Error if the endpoint has no secret, or if a secret cannot be decrypted, for example
 *   because this process does not have a new sealing key yet.
 */
const openKeys = (signingKeys: SigningKeys, { endpointId, secrets }: Posting) => {
  const keys = signingKeys(endpointId, secrets);
  if (keys.length === 0) throw new Error('the endpoint has no secret');
  return keys;
};
