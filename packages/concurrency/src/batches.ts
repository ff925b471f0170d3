import { Failure } from '@pto/errors';

/** Bounds of batched calls. */
export interface BatchBounds<Key = never> {
  /** Maximum number of batches that run at the same time. */
  readonly inFlightMax: number;
  /** Maximum number of calls in one batch. */
  readonly batchMax: number;
  /**
   * Maximum number of calls that wait for a batch. Default 16,384, more than the connections of
   * eight gateways, so that no partner meets it (docs/decisions/limits.md).
   */
  readonly waitingMax?: number;
  /**
   * Bounds the sum of the keys' weights in one batch. A key that is heavier than `max` is alone in
   * its batch.
   */
  readonly weight?: { of(key: Key): number; readonly max: number };
  /** Makes a batch wait for more calls after a larger one (`lingerRule`). */
  readonly linger?: Linger;
}

interface Waiting<Key, Value> {
  readonly key: Key;
  resolve(value: Value): void;
  reject(error: unknown): void;
}

/**
 * Returns a function that batches its calls. Calls that are made in one turn of the event loop
 * share one call of `run`. So do calls that have waited because `inFlightMax` batches were running.
 * If `waitingMax` calls already wait, a further call immediately rejects with Failure
 * SERVICE_UNAVAILABLE.
 * @param run gets the keys of a batch and returns a function that returns each key's value or
 *   throws its error. If `run` itself rejects, each call of the batch rejects with that error.
 */
export const createBatches = <Key, Value>(
  run: (keys: readonly Key[]) => Promise<(key: Key) => Value>,
  { inFlightMax, batchMax, waitingMax = 16_384, weight, linger }: BatchBounds<Key>,
): ((key: Key) => Promise<Value>) => {
  const waiting: Waiting<Key, Value>[] = [];
  let inFlight = 0;
  let isPlanned = false;
  const rule = linger && lingerRule(linger);
  /** Set while a batch waits for more calls. */
  let lingering: NodeJS.Timeout | undefined;

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

  /** Returns the maximum number of waiting calls that fit into the next batch. */
  const batchSize = (): number => {
    if (!weight) return batchMax;
    let sum = 0;
    let size = 0;
    for (const { key } of waiting) {
      sum += weight.of(key);
      if (size === batchMax || (size > 0 && sum > weight.max)) break;
      size++;
    }
    return size;
  };

  const next = (): void => {
    isPlanned = false;
    lingering = undefined;
    while (inFlight < inFlightMax && waiting.length > 0) {
      inFlight++;
      const batch = waiting.splice(0, batchSize());
      rule?.begin(batch.length);
      void runBatch(batch).then(() => {
        inFlight--;
        plan();
      });
    }
  };

  const plan = (): void => {
    if (isPlanned || inFlight === inFlightMax || waiting.length === 0) return;
    const waitMs = rule?.waitMs(waiting.length) ?? 0;
    if (waitMs > 0) {
      lingering ??= setTimeout(next, waitMs);
      return;
    }
    clearTimeout(lingering);
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

/** How long a batch waits for more calls. */
export interface Linger {
  /** Number of calls from which on a batch does not wait, and the next one may. */
  readonly calls: number;
  /** Minimum time from the begin of a batch to the begin of a smaller one, in ms. */
  readonly ms: number;
}

/**
 * Decides when the next batch may begin. A batch costs the database about as much for one call as
 * for four, so under load batches of one or two take the cores from the rest. A batch waits only if
 * the one before it had `calls` calls: fewer callers than that, each of which waits for its
 * response before it calls again, are never delayed. More of them are delayed little, because they
 * soon call again.
 */
export const lingerRule = ({ calls, ms }: Linger, now: () => number = () => performance.now()) => {
  let begunAt = 0;
  let lastSize = 0;
  return {
    /** Notes that a batch begins. */
    begin: (size: number): void => {
      begunAt = now();
      lastSize = size;
    },
    /** Returns the time in ms that a batch of the calls that wait must still wait. */
    waitMs: (waiting: number): number => {
      if (lastSize < calls || waiting >= calls) return 0;
      return Math.max(0, begunAt + ms - now());
    },
  };
};
