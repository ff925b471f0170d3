import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '@pto/errors';

interface Waiting<T> {
  readonly name: string;
  readonly promise: Promise<T | null>;
  resolve(found: T | null): void;
  reject(error: unknown): void;
}

/**
 * Returns a function that looks up names in batches: one statement at a time, and at most one per
 * `pauseMs`, for any number of names. A name waits for the running statement, one pause and its own
 * statement, and longer only if more than `batchMax` names are queued before it.
 * @param findMany runs one statement; returns the values that it finds, by their names.
 */
export const createBatchedLookup = <T>(
  findMany: (names: readonly string[]) => Promise<ReadonlyMap<string, T>>,
  { pauseMs, batchMax, waitingMax }: { pauseMs: number; batchMax: number; waitingMax: number },
) => {
  const waiting = new Map<string, Waiting<T>>();
  let isRunning = false;
  let startedAt = Number.NEGATIVE_INFINITY;

  const next = (): Waiting<T>[] => {
    const batch = [...waiting.entries()].slice(0, batchMax);
    for (const [name] of batch) waiting.delete(name);
    return batch.map(([, one]) => one);
  };

  const run = async (): Promise<void> => {
    isRunning = true;
    while (waiting.size > 0) {
      const pause = startedAt + pauseMs - performance.now();
      if (pause > 0) await sleep(pause);
      startedAt = performance.now();
      const batch = next();
      try {
        const found = await findMany(batch.map(({ name }) => name));
        for (const one of batch) one.resolve(found.get(one.name) ?? null);
      } catch (error) {
        // the queued names fail as well: each would otherwise wait for another statement timeout
        for (const one of [...batch, ...waiting.values()]) one.reject(error);
        waiting.clear();
      }
    }
    isRunning = false;
  };

  /**
   * Returns the value that is stored under the name, or null.
   * @throws Failure RATE_LIMITED if `waitingMax` names are queued; the error of the statement
   */
  return (name: string): Promise<T | null> => {
    const known = waiting.get(name);
    if (known) return known.promise;
    if (waiting.size >= waitingMax)
      return Promise.reject(
        new Failure('RATE_LIMITED', 'Too many unknown keys.', { retryAfterSeconds: 1 }),
      );
    const one = { name, ...Promise.withResolvers<T | null>() };
    waiting.set(name, one);
    if (!isRunning) void run();
    return one.promise;
  };
};
