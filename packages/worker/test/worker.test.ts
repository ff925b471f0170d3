import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { startWorker, type Worker, type WorkerOptions } from '../src/index.ts';

/** No test waits for this long: a pause ends by a wake signal or by `stop`. */
const longMs = 3_600_000;
// nothing here waits for a store: a loop that does not go on fails soon
jest.setTimeout(5000);

const started: Worker[] = [];
afterEach(async () => {
  await Promise.all(started.splice(0).map((worker) => worker.stop()));
});
const start = (options: Partial<WorkerOptions>): Worker => {
  const worker = startWorker({
    tick: async () => longMs,
    failed: () => longMs,
    unref: true, // a loop that a failed test leaves behind does not keep the process
    ...options,
  });
  started.push(worker);
  return worker;
};

/** Ticks that end when the test ends them. */
const controlledTicks = () => {
  const begun: PromiseWithResolvers<number>[] = [];
  const waiting: { count: number; resolve(): void }[] = [];
  return {
    begun,
    tick: () => {
      const tick = Promise.withResolvers<number>();
      begun.push(tick);
      for (const { count, resolve } of waiting) if (begun.length >= count) resolve();
      return tick.promise;
    },
    /** Resolves when so many ticks have begun. */
    reached: (count: number) =>
      new Promise<void>((resolve) => {
        if (begun.length >= count) resolve();
        else waiting.push({ count, resolve });
      }),
  };
};
const eventLoop = () => new Promise((resolve) => setImmediate(resolve));

describe('a wake signal', () => {
  test('ends the pause', async () => {
    const { begun, tick, reached } = controlledTicks();
    const worker = start({ tick });
    begun[0]!.resolve(longMs);
    await worker.first;
    await eventLoop();
    worker.wake();
    await reached(2);
    begun[1]!.resolve(longMs);
  });

  test('during a tick ends the pause after that tick, and no later one', async () => {
    const { begun, tick, reached } = controlledTicks();
    const worker = start({ tick });
    worker.wake();
    worker.wake();
    begun[0]!.resolve(longMs);
    await reached(2);
    begun[1]!.resolve(longMs);
    await eventLoop();
    expect(begun).toHaveLength(2);
  });

  test('does not end the pause after a failed tick, whenever it comes, and `stop` does', async () => {
    const { begun, tick, reached } = controlledTicks();
    const steps = async (ms: number, wait: (ms: number) => Promise<void>) => {
      await wait(ms / 2);
      await wait(ms / 2);
    };
    for (const rest of [undefined, steps]) {
      const ticks = controlledTicks();
      const worker = start({ tick: ticks.tick, ...(rest && { rest }) });
      worker.wake();
      ticks.begun[0]!.reject(new Error('failed'));
      await worker.first;
      for (let wakes = 0; wakes < 3; wakes++) {
        worker.wake();
        await eventLoop();
      }
      expect(ticks.begun).toHaveLength(1);
      await worker.stop();
    }
    // after the pause, the failure is over: a wake signal during the next tick counts again
    const worker = start({ tick, failed: () => 1 });
    begun[0]!.reject(new Error('failed'));
    await reached(2);
    worker.wake();
    begun[1]!.resolve(longMs);
    await reached(3);
    begun[2]!.resolve(longMs);
  });

  test('ends the first pause', async () => {
    const { begun, tick, reached } = controlledTicks();
    const worker = start({ tick, firstPauseMs: longMs });
    expect(begun).toHaveLength(0);
    worker.wake();
    await reached(1);
    begun[0]!.resolve(longMs);
  });
});

describe('stop', () => {
  test('ends the pause, and no tick begins afterwards', async () => {
    const { begun, tick } = controlledTicks();
    const worker = start({ tick });
    begun[0]!.resolve(longMs);
    await worker.first;
    await eventLoop();
    await worker.stop();
    worker.wake();
    await eventLoop();
    expect(begun).toHaveLength(1);
  });

  test('ends the first pause without a tick', async () => {
    const { begun, tick } = controlledTicks();
    const worker = start({ tick, firstPauseMs: longMs });
    await worker.stop();
    await worker.first;
    expect(begun).toHaveLength(0);
  });

  test('aborts the signal of the tick in progress and waits for the tick', async () => {
    const { begun, tick } = controlledTicks();
    let [received, isStopped] = [undefined as AbortSignal | undefined, false];
    const worker = start({
      tick: (signal) => {
        received = signal;
        return tick();
      },
    });
    const stopped = worker.stop().then(() => {
      isStopped = true;
    });
    expect(received?.aborted).toBe(true);
    await eventLoop();
    expect(isStopped).toBe(false);
    begun[0]!.resolve(0);
    await stopped;
    expect(begun).toHaveLength(1);
  });

  test('ends every wait of a pause in several steps', async () => {
    const worker = start({
      rest: async (ms, wait) => {
        await wait(ms);
        await wait(ms);
      },
    });
    await worker.first;
    await worker.stop();
  });
});

describe('ticks', () => {
  test('run one after the other, whatever wakes the loop', async () => {
    let [running, runningMax, ticks] = [0, 0, 0];
    const enough = Promise.withResolvers<void>();
    const worker = start({
      tick: async () => {
        runningMax = Math.max(runningMax, ++running);
        worker.wake();
        await eventLoop();
        worker.wake();
        running--;
        if (++ticks < 20) return longMs;
        enough.resolve();
        return longMs;
      },
      firstPauseMs: 1,
    });
    worker.wake();
    await enough.promise;
    expect(runningMax).toBe(1);
  });

  test('follow each other at once after a pause of 0, and a wake signal stays for the next pause', async () => {
    const { begun, tick, reached } = controlledTicks();
    const worker = start({ tick });
    worker.wake();
    begun[0]!.resolve(0);
    await reached(2);
    begun[1]!.resolve(longMs);
    await reached(3);
    begun[2]!.resolve(longMs);
  });

  test('begin before startWorker returns', () => {
    const { begun, tick } = controlledTicks();
    start({ tick });
    expect(begun).toHaveLength(1);
    begun[0]!.resolve(longMs);
  });
});

describe('a failed tick', () => {
  test('is counted until a tick succeeds', async () => {
    const { begun, tick, reached } = controlledTicks();
    const counts: number[] = [];
    start({
      tick,
      failed: (_, failures) => {
        counts.push(failures);
        return 1;
      },
    });
    for (const [at, outcome] of ['fails', 'fails', 'succeeds', 'fails'].entries()) {
      await reached(at + 1);
      if (outcome === 'fails') begun[at]!.reject(new Error('failed'));
      else begun[at]!.resolve(1);
    }
    await reached(5);
    begun[4]!.resolve(longMs);
    expect(counts).toEqual([1, 2, 1]);
  });

  test('is followed by a pause that grows with the failures', async () => {
    const rests: number[] = [];
    const enough = Promise.withResolvers<void>();
    const worker = start({
      tick: async () => {
        throw new Error('failed');
      },
      failed: () => undefined,
      rest: async (ms, wait) => {
        rests.push(ms);
        if (rests.length < 4) return;
        enough.resolve();
        await wait(longMs);
      },
    });
    await enough.promise;
    await worker.stop();
    for (const [at, ms] of rests.entries()) {
      expect(ms).toBeGreaterThanOrEqual(80 * 2 ** at);
      expect(ms).toBeLessThanOrEqual(120 * 2 ** at);
    }
  });

  test('does not end the loop, even if its handler fails', async () => {
    const { begun, tick, reached } = controlledTicks();
    start({
      tick,
      failed: () => {
        throw new Error('the log failed');
      },
    });
    begun[0]!.reject(new Error('failed'));
    await reached(2);
    begun[1]!.resolve(longMs);
  });
});
