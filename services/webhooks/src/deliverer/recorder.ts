import { setTimeout as sleep } from 'node:timers/promises';
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

/**
 * The recorder checks the length of the queue every 5 ms. A batch grows while at least `manyAtOnce`
 * attempts arrive between two checks, for at most 40 ms or until it has `batchMax` attempts.
 */
const [gatherMs, gatherLongestMs] = [5, 40];
const manyAtOnce = 16;
const batchMax = 256;
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
  let waiting: { finished: Finished; done: () => void }[] = [];
  let running: Promise<void> | undefined;
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

  /**
   * Waits 5 ms for more attempts to end, and up to 40 ms while at least `manyAtOnce` end in each
   * 5 ms. Larger batches save writes, which have a high fixed cost.
   */
  const gather = async (): Promise<void> => {
    for (let [waitedMs, before] = [0, 0]; waitedMs < gatherLongestMs; waitedMs += gatherMs) {
      await sleep(gatherMs);
      if (waiting.length >= batchMax || waiting.length - before < manyAtOnce) return;
      before = waiting.length;
    }
  };

  const run = async (): Promise<void> => {
    while (waiting.length > 0) {
      if (waiting.length < batchMax) await gather();
      const batch = waiting.slice(0, batchMax);
      waiting = waiting.slice(batchMax);
      await persist(batch.map(({ finished }) => finished));
      for (const { done } of batch) done();
    }
    running = undefined;
  };

  return {
    add: (finished) =>
      new Promise((done) => {
        waiting.push({ finished, done });
        running ??= run();
      }),
    stop: async () => {
      stopped.abort();
      await running;
    },
  };
};
