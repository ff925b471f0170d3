import { setTimeout as sleep } from 'node:timers/promises';
import { createBatches } from '@pto/concurrency';
import type { Database } from '@pto/database';
import { Failure } from '@pto/errors';
import type { Logger } from '@pto/telemetry';
import { backoffMs } from '@pto/worker';
import type { FailedEndpoint } from '../health/break-endpoint.ts';
import { type CountedAttempt, healthChanges } from '../health/health.ts';
import type { Claimed } from './claim.ts';
import { recordAttempts } from './record-sql.ts';
import { type AttemptError, isDuplicate, type Verdict } from './retry-schedule.ts';

/** An ended attempt with its verdict, or a verdict without an attempt. */
export interface Finished
  extends Pick<Claimed, 'organizationId' | 'deliveryId' | 'endpointId' | 'urlVersion' | 'number'> {
  /**
   * Null if no request was sent under this lease. Either lost leases used up the schedule, or the
   * attempt was recalled before its start: the endpoint was deleted, disabled or BROKEN.
   */
  readonly attempt: {
    readonly at: Date;
    readonly endedAt: Date;
    readonly statusCode: number | null;
    readonly error: AttemptError | null;
    readonly durationMs: number;
    readonly responseBody?: string | null;
    /** Whether the attempt counts for the endpoint's health (decision 40). */
    readonly counts: boolean;
  } | null;
  readonly verdict: Verdict;
}

/**
 * Records ended attempts in one statement. It inserts the attempts, postpones or ends the
 * deliveries, and updates the health of the endpoints. A delivered delivery is only deleted from
 * the queue. A delivery that this process no longer leases is skipped, but its result counts for
 * the health. A failed delivery of an older generation becomes EXHAUSTED with the reason of its
 * endpoint, for example `disabled`.
 * @returns the health of the endpoints that failed after their last success in this batch.
 */
export const record = async (
  db: Database,
  owner: string,
  finished: readonly Finished[],
): Promise<FailedEndpoint[]> => {
  const results = finished.map(({ organizationId, deliveryId, number, attempt, verdict }) => ({
    organization_id: organizationId,
    delivery_id: deliveryId,
    number,
    at: attempt?.at ?? null,
    status_code: attempt?.statusCode ?? null,
    error: attempt?.error ?? '',
    duration_ms: attempt?.durationMs ?? 0,
    ...(attempt?.responseBody && { response_body: attempt.responseBody }),
    state: verdict.state,
    wait_ms: verdict.state === 'PENDING' ? verdict.waitMs : 0,
    ...(isDuplicate(verdict) && { duplicated: true }),
  }));
  const changes = healthChanges(finished.flatMap(counted));
  const ids = finished.map((f) => f.deliveryId).sort();
  const areDelivered = finished.every(({ verdict }) => verdict.state === 'DELIVERED');
  const bounds = areDelivered ? undefined : ([ids[0]!, ids.at(-1)!] as const);
  const rows = await recordAttempts(db, { owner, results, changes, bounds });
  return rows.filter(({ failures }) => failures > 0);
};

const counted = (finished: Finished): CountedAttempt[] => {
  const { organizationId, endpointId, urlVersion, attempt, verdict } = finished;
  if (!attempt?.counts) return [];
  return [
    {
      organizationId,
      endpointId,
      urlVersion,
      succeeded: verdict.state === 'DELIVERED' || isDuplicate(verdict),
      exhausted: verdict.state === 'EXHAUSTED',
      endedAt: attempt.endedAt,
    },
  ];
};

/** A write has a high fixed cost: after one of many attempts, the next one waits for as many. */
const bounds = { inFlightMax: 1, batchMax: 256, linger: { calls: 128, ms: 40 } };
const notStored =
  'results of attempts could not be stored; the deliveries are sent again after their leases end';

/**
 * Returns a function that records ended attempts in batches, one write at a time. It resolves when
 * the attempt is recorded, or when recording has failed and the failure is logged. A write is
 * retried while the database is unavailable. If the lease of an attempt ends before the write
 * succeeds, the next claim records the lease as lost. If the database rejects a batch, its attempts
 * are written one by one, so that one bad row does not affect the others.
 * @param stopping after its abort no write is retried.
 */
export const createRecorder = (
  write: (batch: readonly Finished[]) => Promise<void>,
  log: Logger,
  stopping: AbortSignal,
): ((finished: Finished) => Promise<void>) => {
  const persist = async (batch: readonly Finished[]): Promise<void> => {
    for (let failures = 1; ; failures++) {
      try {
        return await write(batch);
      } catch (error) {
        const isTransient = error instanceof Failure && error.retryable;
        if (!isTransient && batch.length > 1) {
          for (const finished of batch) await persist([finished]);
          return;
        }
        if (!isTransient || stopping.aborted) {
          const ids = batch.map(({ deliveryId }) => deliveryId);
          log.error({ err: error, deliveries: ids }, notStored);
          return;
        }
        await sleep(backoffMs(failures), undefined, { signal: stopping }).catch(() => {});
      }
    }
  };
  return createBatches(async (batch) => {
    await persist(batch);
    return () => {};
  }, bounds);
};
