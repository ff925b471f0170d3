import { type LaunchArguments, readArguments, UsageError, usage } from './arguments.ts';
import { showDemo } from './demo/demo.ts';
import { markShown, wasShown } from './demo/demo-file.ts';
import { BadConfiguration } from './processes/processes.ts';
import { Stopped, stopOnSignals } from './processes/stop-signal.ts';
import { createProgress, type Progress } from './progress.ts';
import { type Closers, startStack } from './stack/stack.ts';
import type { StackFile } from './stack/stack-file.ts';
import { welcome } from './welcome.ts';

/**
 * Starts the local stack, shows the demonstration order at the first start in a folder, and serves
 * until a signal stops it.
 * @returns the exit code: 0 after a stop or `--help`, 1 after a failure, 2 for wrong usage, 78 if a
 *   service rejected its settings.
 */
export const launch = async (
  words: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<number> => {
  const progress = createProgress();
  const closers: Closers = [];
  const end = new AbortController();
  try {
    const args = readArguments(words, environment);
    if (args.help) {
      process.stdout.write(usage);
      return 0;
    }
    await stopOnSignals(end);
    const stack = await startStack(args, environment, progress, closers, end);
    progress.say(`ready at ${stack.baseUrl}`);
    progress.done();
    if (args.demo && !wasShown(args.dir)) await demonstrate(args, stack, progress, end.signal);
    process.stdout.write(welcome(stack, args.dir));
    await aborted(end.signal);
    throw end.signal.reason;
  } catch (error) {
    return explain(end.signal.aborted ? end.signal.reason : error, progress);
  } finally {
    if (closers.length > 0) progress.say('stopping');
    for (const close of closers.reverse()) await close();
  }
};

/** Shows the demonstration order. The local stack continues to serve if the demonstration fails. */
const demonstrate = async (
  { dir }: LaunchArguments,
  stack: StackFile,
  progress: Progress,
  signal: AbortSignal,
): Promise<void> => {
  try {
    markShown(dir, await showDemo(stack, progress.say, signal));
  } catch (error) {
    signal.throwIfAborted();
    progress.warn(`the demonstration order failed: ${(error as Error).message}`);
  }
};

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

const explain = (error: unknown, progress: Progress): number => {
  if (error instanceof Stopped) return 0;
  progress.warn((error as Error).message);
  if (error instanceof UsageError) return 2;
  return error instanceof BadConfiguration ? 78 : 1;
};
