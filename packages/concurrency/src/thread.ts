/** Work that would hold the event loop, on a thread of its own: one piece at a time. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parentPort, Worker } from 'node:worker_threads';
import { Failure } from '@pto/errors';

export interface Thread<Input, Output> {
  /**
   * Runs one piece of work after those that wait. Input and output are copied between the threads.
   * @param moved buffers of the input that are moved instead; the caller cannot read them any more.
   * @throws Failure that the work throws; INTERNAL for any other error, whose text is the private
   *   cause; SERVICE_UNAVAILABLE if too many wait; DEADLINE_EXCEEDED if the work takes too long.
   */
  run(input: Input, moved?: readonly ArrayBuffer[]): Promise<Output>;
  /** Ends the thread. Work in progress and later work rejects. */
  stop(): Promise<void>;
}

export interface ThreadOptions {
  /** Name of the program that the bundles have for the thread (image-programs.ts). */
  readonly program: string;
  /** The program's source, which runs where there is no bundle. */
  readonly source: URL;
  /** Maximum duration of one piece of work. The thread is then ended, because it cannot be interrupted. */
  readonly workMaxMs: number;
  /** Maximum number of pieces of work that wait. */
  readonly waitingMax: number;
  /** Maximum heap of the thread. */
  readonly heapMaxMb: number;
}

/** Time without work after which the thread ends and returns its memory. */
const idleMs = 60_000;
/** Maximum duration of a thread's start, which loads its modules. */
const startMaxMs = 30_000;

interface Work {
  readonly input: unknown;
  readonly moved: readonly ArrayBuffer[];
  resolve(output: never): void;
  reject(failure: Failure): void;
}

/** What the thread sends when its modules are loaded. */
const ready = 'ready';

/** What the thread sends for each piece of work. */
type Outcome =
  | { readonly output: unknown }
  | { readonly error: string }
  | { readonly failure: Pick<Failure, 'kind' | 'message' | 'details'> };

/** Opens a thread that starts with its first work. Its module calls `serveThread`. */
export const openThread = <Input, Output>(options: ThreadOptions): Thread<Input, Output> => {
  const waiting: Work[] = [];
  let current: { readonly work: Work; timer: NodeJS.Timeout } | undefined;
  let worker: Worker | undefined;
  let isReady = false;
  let idle: NodeJS.Timeout | undefined;
  let stopped = false;

  const end = (settle: (work: Work) => void): void => {
    const ended = current;
    current = undefined;
    if (!ended) return;
    clearTimeout(ended.timer);
    settle(ended.work);
    next();
  };

  const dismiss = (failure: Failure): Promise<unknown> => {
    const ended = worker;
    worker = undefined;
    isReady = false;
    end(({ reject }) => reject(failure));
    return ended?.terminate() ?? Promise.resolve();
  };

  const start = (): Worker => {
    const { heapMaxMb: maxOldGenerationSizeMb } = options;
    const started = new Worker(entryOf(options), {
      resourceLimits: { maxOldGenerationSizeMb },
      execArgv: [], // the process's own would load its tracing again
      env: {},
    });
    started.unref();
    started.on('message', (outcome: Outcome | typeof ready) => {
      if (outcome !== ready) return finish(outcome);
      isReady = true;
      if (!current) return;
      clearTimeout(current.timer);
      current.timer = limit();
    });
    const finish = (outcome: Outcome) =>
      end(({ resolve, reject }) => {
        if ('output' in outcome) resolve(outcome.output as never);
        else if ('failure' in outcome) reject(copyOf(outcome.failure));
        else reject(failed(outcome.error));
      });
    started.once('error', (error) => {
      if (worker === started) void dismiss(failed(error));
    });
    started.once('exit', () => {
      if (worker === started) void dismiss(failed('the thread has ended'));
    });
    return started;
  };

  /** Ends the thread if it takes too long to start, or to do the current work. */
  const limit = (): NodeJS.Timeout => {
    const late = () => void dismiss(new Failure('DEADLINE_EXCEEDED', 'This took too long.'));
    return setTimeout(late, isReady ? options.workMaxMs : startMaxMs);
  };

  const next = (): void => {
    clearTimeout(idle);
    if (current) return;
    const work = waiting.shift();
    if (!work) {
      idle = setTimeout(() => void dismiss(stopping()), idleMs).unref();
      return;
    }
    worker ??= start();
    current = { work, timer: limit() };
    worker.postMessage(work.input, [...work.moved]);
  };

  return {
    run: (input, moved = []) =>
      new Promise((resolve, reject) => {
        if (stopped) return reject(stopping());
        if (waiting.length >= options.waitingMax) return reject(busy());
        waiting.push({ input, moved, resolve, reject });
        next();
      }),
    stop: async () => {
      stopped = true;
      for (const { reject } of waiting.splice(0)) reject(stopping());
      await dismiss(stopping());
      clearTimeout(idle);
    },
  };
};

const entryOf = ({ program, source }: ThreadOptions): string => {
  const bundled = join(dirname(process.argv[1] ?? ''), `${program}.mjs`);
  return existsSync(bundled) ? bundled : fileURLToPath(source);
};

const copyOf = ({ kind, message, details }: Pick<Failure, 'kind' | 'message' | 'details'>) =>
  new Failure(kind, message, { ...(details && { details }) });
const failed = (cause: unknown): Failure =>
  new Failure('INTERNAL', 'Something went wrong on our side.', { cause });
const busy = (): Failure =>
  new Failure('SERVICE_UNAVAILABLE', 'Too many requests wait for this.', { retryAfterSeconds: 1 });
const stopping = (): Failure =>
  new Failure('SERVICE_UNAVAILABLE', 'The service stops.', { retryAfterSeconds: 1 });

/**
 * Does the work of the thread whose module calls it.
 * @param moved returns the buffers of an output that are moved, not copied.
 */
export const serveThread = <Input, Output>(
  work: (input: Input) => Promise<Output>,
  moved: (output: Output) => ArrayBuffer[] = () => [],
): void => {
  parentPort?.postMessage(ready);
  parentPort?.on('message', async (input: Input) => {
    try {
      const output = await work(input);
      parentPort!.postMessage({ output }, moved(output));
    } catch (error) {
      parentPort!.postMessage(outcomeOf(error));
    }
  });
};

const outcomeOf = (error: unknown): Outcome => {
  if (error instanceof Failure && error.kind !== 'INTERNAL') {
    const { kind, message, details } = error;
    return { failure: { kind, message, details } };
  }
  return { error: error instanceof Error ? `${error.stack}` : `${error}` };
};
