import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '@pto/errors';
import type { Logger } from '@pto/telemetry';
import { backoffMs } from '@pto/worker';
import type { Finished } from './finished.ts';

/** Records ended attempts in batches. */
export interface Recorder {
  /** Resolves when the attempt is recorded or given up. At most as many wait as are in flight. */
  add(finished: Finished): Promise<void>;
  /** Writes what waits, without retries. */
  stop(): Promise<void>;
}

/** How often the batch is checked, and how long it may grow while `manyAtOnce` arrive per check. */
const [gatherMs, gatherLongestMs] = [5, 40];
const manyAtOnce = 16;
const batchMax = 256;

/**
 * Makes one write at a time; meanwhile the next batch grows. While the database is unavailable a
 * write is retried: the leases hold, or another process records them as lost. A batch that the
 * database rejects is written row by row, so that one bad row does not affect the others.
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
          log.error(
            { err: error, deliveries: ids },
            'attempts were made and could not be recorded',
          );
          return;
        }
        await sleep(backoffMs(failures), undefined, { signal: stopped.signal }).catch(() => {});
      }
    }
  };

  /** Waits for a larger batch while many attempts end: a write has a high fixed cost. */
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
