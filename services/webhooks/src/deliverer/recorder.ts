import { setTimeout as sleep } from 'node:timers/promises';
import { createBatches } from '@pto/concurrency';
import { Failure } from '@pto/errors';
import type { Logger } from '@pto/telemetry';
import { backoffMs } from '@pto/worker';
import type { Finished } from './record.ts';

/** Records ended attempts in batches. */
export interface Recorder {
  /**
   * Queues an ended attempt. Resolves when the attempt is recorded, or when recording has failed
   * and the failure is logged. The deliverer bounds the number of queued attempts
   * (`unrecordedMax`).
   */
  add(finished: Finished): Promise<void>;
  /** Writes the queued attempts, without retries. */
  stop(): Promise<void>;
}

/** A write has a high fixed cost: after one of many attempts, the next one waits for as many. */
const bounds = { inFlightMax: 1, batchMax: 256, gather: { calls: 128, ms: 40 } };
const notStored =
  'results of attempts could not be stored; the deliveries are sent again after their leases end';

/**
 * Returns a recorder that makes one write at a time; the next batch grows meanwhile. It retries a
 * write while the database is unavailable. If the lease of an attempt ends before the write
 * succeeds, the next claim records the lease as lost. If the database rejects a batch, the recorder
 * writes its attempts one by one, so that one bad row does not affect the others.
 */
export const createRecorder = (
  write: (batch: readonly Finished[]) => Promise<void>,
  log: Logger,
): Recorder => {
  const queued = new Set<Promise<void>>();
  const stopped = new AbortController();

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
        if (!isTransient || stopped.signal.aborted) {
          const ids = batch.map(({ deliveryId }) => deliveryId);
          log.error({ err: error, deliveries: ids }, notStored);
          return;
        }
        await sleep(backoffMs(failures), undefined, { signal: stopped.signal }).catch(() => {});
      }
    }
  };
  const record = createBatches<Finished, void>(async (batch) => {
    await persist(batch);
    return () => {};
  }, bounds);

  return {
    add: async (finished) => {
      const recorded = record(finished);
      queued.add(recorded);
      await recorded.finally(() => queued.delete(recorded));
    },
    stop: async () => {
      stopped.abort();
      await Promise.all(queued);
    },
  };
};
