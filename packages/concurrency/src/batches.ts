import { Failure } from '@pto/errors';

/** Bounds of calls that share their work. */
export interface BatchBounds {
  /** At most so many batches run at once. */
  readonly inFlightMax: number;
  /** Calls in one batch. */
  readonly batchMax: number;
  /** At most so many calls wait for a batch. */
  readonly waitingMax: number;
}

interface Waiting<Key, Value> {
  readonly key: Key;
  resolve(value: Value): void;
  reject(error: unknown): void;
}

/**
 * Makes one piece of work of the calls of one turn of the event loop, and of those that come while
 * `inFlightMax` batches run.
 * @param run returns a function that gives each key its value, or throws its error. If `run` itself
 *   throws, each call of the batch gets its error.
 * @throws Failure SERVICE_UNAVAILABLE at once if `waitingMax` calls wait.
 */
export const createBatches = <Key, Value>(
  run: (keys: readonly Key[]) => Promise<(key: Key) => Value>,
  { inFlightMax, batchMax, waitingMax }: BatchBounds,
): ((key: Key) => Promise<Value>) => {
  const waiting: Waiting<Key, Value>[] = [];
  let inFlight = 0;
  let isPlanned = false;

  const runBatch = async (batch: readonly Waiting<Key, Value>[]): Promise<void> => {
    try {
      const valueFor = await run(batch.map(({ key }) => key));
      for (const { key, resolve, reject } of batch)
        try {
          resolve(valueFor(key));
        } catch (error) {
          reject(error);
        }
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  };

  const next = (): void => {
    isPlanned = false;
    while (inFlight < inFlightMax && waiting.length > 0) {
      inFlight++;
      void runBatch(waiting.splice(0, batchMax)).then(() => {
        inFlight--;
        plan();
      });
    }
  };

  const plan = (): void => {
    if (isPlanned || inFlight === inFlightMax || waiting.length === 0) return;
    isPlanned = true;
    setImmediate(next);
  };

  return (key) =>
    new Promise((resolve, reject) => {
      if (waiting.length >= waitingMax) {
        reject(
          new Failure('SERVICE_UNAVAILABLE', 'Too many requests wait.', { retryAfterSeconds: 1 }),
        );
        return;
      }
      waiting.push({ key, resolve, reject });
      plan();
    });
};
