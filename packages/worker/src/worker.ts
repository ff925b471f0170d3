/** A background loop. Its ticks run one after the other until `stop`. */
export interface Worker {
  /**
   * Resolves when the first tick has ended, successful or not, or when `stop` ends the loop before
   * the first tick.
   */
  readonly first: Promise<void>;
  /** Aborted by `stop`. */
  readonly signal: AbortSignal;
  /**
   * Ends the pause early. A call during a tick ends the pause after that tick immediately. The pause
   * after a failed tick goes on, however many calls: work that fails is not repeated without a rest.
   */
  wake(): void;
  /**
   * Ends the pause, aborts `signal` and waits for the tick in progress. No tick begins afterwards.
   */
  stop(): Promise<void>;
}

export interface WorkerOptions {
  /**
   * Runs one tick. The first tick begins before `startWorker` returns, unless `firstPauseMs` is
   * set.
   * @param signal aborted by `stop`.
   * @returns the pause before the next tick, in ms; after 0 the next tick begins without a pause.
   */
  tick(signal: AbortSignal): Promise<number>;
  /**
   * Called after each failed tick.
   * @param failures consecutive failed ticks, from 1.
   * @returns the pause in ms; `backoffMs(failures)` if undefined.
   */
  failed(error: unknown, failures: number): number | undefined;
  /**
   * Runs after each tick instead of the single pause, for a loop that pauses in several steps. It
   * must not reject.
   * @param wait pauses for `ms`; a call of `stop` ends the pause early, and so does one of `wake`
   *   unless the tick failed.
   */
  rest?(ms: number, wait: (ms: number) => Promise<void>, signal: AbortSignal): Promise<void>;
  /** The pause before the first tick, in ms; 0 by default. */
  firstPauseMs?: number;
  /** True: a pause does not keep the process running. */
  unref?: boolean;
}

/**
 * Starts a background loop. The loop continues after a failed tick, and after an error that
 * `failed` throws.
 */
export const startWorker = (options: WorkerOptions): Worker => {
  const { rest, firstPauseMs = 0, unref = false } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  /** Ends the pause in progress. */
  let endPause: (() => void) | undefined;
  /** Whether `wake` was called without a pause in progress: the next pause ends immediately. */
  let isWoken = false;
  /** Whether the last tick has failed and its pause goes on. */
  let restsAfterFailure = false;
  const { promise: first, resolve: firstEnded } = Promise.withResolvers<void>();

  const pause = async (ms: number): Promise<void> => {
    if (ms <= 0 || signal.aborted) return;
    if (!isWoken) {
      const { promise, resolve } = Promise.withResolvers<void>();
      endPause = resolve;
      const timer = setTimeout(resolve, ms);
      if (unref) timer.unref();
      await promise;
      clearTimeout(timer);
      endPause = undefined;
    }
    isWoken = false;
  };
  const wake = (): void => {
    if (restsAfterFailure) return;
    isWoken = !endPause;
    endPause?.();
  };

  const pauseAfter = (error: unknown, failures: number): number => {
    try {
      return options.failed(error, failures) ?? backoffMs(failures);
    } catch {
      return backoffMs(failures); // the log may have failed, so this error is not logged
    }
  };

  const run = async (): Promise<void> => {
    if (firstPauseMs > 0) await pause(firstPauseMs);
    for (let failures = 0; !signal.aborted; ) {
      let pauseMs: number;
      restsAfterFailure = false;
      try {
        pauseMs = await options.tick(signal);
        failures = 0;
      } catch (error) {
        pauseMs = pauseAfter(error, ++failures);
        restsAfterFailure = true;
        isWoken = false; // a tick follows anyway
      }
      firstEnded();
      await (rest ? rest(pauseMs, pause, signal) : pause(pauseMs));
    }
    firstEnded();
  };

  const running = run();
  return {
    first,
    signal,
    wake,
    stop: async () => {
      stopping.abort(new Error('stopping'));
      endPause?.();
      await running;
    },
  };
};

/**
 * Returns the pause in ms after a number of consecutive failures (from 1). The pause is `firstMs`
 * after one failure, doubles with each further failure up to `mostMs`, and is then varied at random
 * by ±20 %, so it can exceed `mostMs` by 20 %.
 */
export const backoffMs = (failures: number, { firstMs = 100, mostMs = 1000 } = {}): number => {
  const pause = Math.min(mostMs, firstMs * 2 ** Math.min(failures - 1, 30));
  return Math.round(pause * (0.8 + Math.random() * 0.4));
};

/**
 * Rests of the parts of one loop, such as its shards: a part pauses after its own failures, by
 * `backoffMs`, while the other parts continue.
 */
export const createRests = <Part>() => {
  const resting = new Map<Part, { failures: number; until: number }>();
  return {
    /** @returns the consecutive failures of the part, this one included. */
    failed: (part: Part): number => {
      const failures = (resting.get(part)?.failures ?? 0) + 1;
      resting.set(part, { failures, until: performance.now() + backoffMs(failures) });
      return failures;
    },
    succeeded: (part: Part): void => void resting.delete(part),
    /** Whether the part still pauses. */
    rests: (part: Part): boolean => (resting.get(part)?.until ?? 0) > performance.now(),
    /** Whether any part has failed and has not succeeded since. */
    any: (): boolean => resting.size > 0,
  };
};
