import { setTimeout as sleep } from 'node:timers/promises';
import { backoffMs } from '@pto/bus';
import { Failure } from '@pto/errors';
import type { Logger } from '@pto/telemetry';
import type { Finished } from './finished.ts';

/** Gathers attempts that have ended, and writes them together. */
export interface Recorder {
  /** Resolves when it is written, or given up. At most as many wait as are in flight. */
  add(finished: Finished): Promise<void>;
  /** Nothing is tried again from now on; what can be written at once is. */
  stop(): Promise<void>;
}

/** A look at what has come, and how long a batch may grow while `manyAtOnce` come between two. */
const [gatherMs, gatherLongestMs] = [5, 40];
const manyAtOnce = 16;
const batchMax = 256;

/**
 * One write at a time; meanwhile the next batch gathers. While the database is away a write is
 * tried again: the leases hold, or another process finds them lost. A write that the database
 * refuses is split, so that one bad row costs nobody else.
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
        const isAway = error instanceof Failure && error.retryable;
        if (!isAway && batch.length > 1) {
          for (const finished of batch) await persist([finished]);
          return;
        }
        if (!isAway || stopped.signal.aborted) {
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

  /** A write costs much by itself: a few are written soon, and of many a whole batch. */
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
