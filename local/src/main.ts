#!/usr/bin/env node
import { type LaunchArguments, readArguments, UsageError, usage } from './arguments.ts';
import { markShown, showDemo, wasShown } from './demo.ts';
import { BadConfiguration } from './processes/processes.ts';
import { progress } from './progress.ts';
import { type Closers, startStack } from './stack/stack.ts';
import type { StackFile } from './stack/stack-file.ts';
import { welcome } from './welcome.ts';

/**
 * Starts the local stack, shows the demonstration order at the first start in a folder, and serves
 * until a signal stops it.
 * @returns the exit code: 0 after a stop or `--help`, 1 after a failure, 2 for wrong usage, 78 if a
 *   service rejected its settings.
 */
const launch = async (
  words: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<number> => {
  const closers: Closers = [];
  const end = new AbortController();
  try {
    const args = readArguments(words, environment);
    if (args.help) {
      process.stdout.write(usage);
      return 0;
    }
    stopOnSignals(end);
    const stack = await startStack(args, environment, progress, closers, end);
    progress.say(`ready at ${stack.baseUrl}`);
    if (args.demo && !wasShown(args.dir)) await demonstrate(args, stack, end.signal);
    process.stdout.write(welcome(stack, args.dir));
    await aborted(end.signal);
    throw end.signal.reason;
  } catch (error) {
    return explain(end.signal.aborted ? end.signal.reason : error);
  } finally {
    if (closers.length > 0) progress.say('stopping');
    for (const close of closers.reverse()) await close();
  }
};

/** The abort reason of a requested stop, which is not a failure. */
class Stopped extends Error {}

const parentEveryMs = 500;

/**
 * Aborts `end` when this process receives SIGINT (Ctrl-C), SIGTERM or SIGHUP, or when the npm that
 * started it ends: a killed npm sends no signal. A second signal exits this process immediately;
 * the process supervisor wrappers then end the other processes.
 */
const stopOnSignals = (end: AbortController): void => {
  let requested = false;
  const stop = () => {
    if (requested) process.exit(1);
    requested = true;
    end.abort(new Stopped('stopped'));
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
  if (process.env.npm_lifecycle_event !== 'start') return;
  const parent = process.ppid;
  const watch = () => {
    if (process.ppid !== parent) end.abort(new Stopped('npm was killed'));
  };
  setInterval(watch, parentEveryMs).unref();
};

/** Shows the demonstration order. The local stack continues to serve if the demonstration fails. */
const demonstrate = async (
  { dir }: LaunchArguments,
  stack: StackFile,
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

const explain = (error: unknown): number => {
  if (error instanceof Stopped) return 0;
  progress.warn((error as Error).message);
  if (error instanceof UsageError) return 2;
  return error instanceof BadConfiguration ? 78 : 1;
};

process.exit(await launch(process.argv.slice(2), process.env));
