import { setTimeout as sleep } from 'node:timers/promises';
import type { GuardedCommand, GuardedProcess, Guards } from '@pto/stores';
import { followLog, type LogFollower, lastFatal, worthShowing } from './service-log.ts';

/**
 * A process that is started again whenever it ends, as Kubernetes would, unless it rejected its
 * configuration.
 */
export interface SupervisedProcess {
  /** Returns the id of the process that runs, or of the process that ran last. */
  pid(): number;
  /** Stops the process and does not start it again. Waits until it has ended. */
  stop(): Promise<void>;
}

interface Supervision {
  readonly guards: Guards;
  /** Name of the process and of its log. */
  readonly name: string;
  readonly command: GuardedCommand;
  /**
   * Receives what to show at the terminal: lines of the process's log, and each unexpected end and
   * failed start.
   */
  readonly say: (line: string) => void;
  /** Called when the process runs again with another process id. */
  readonly onRestart: () => void;
  /**
   * Called when the process ended because it rejected its configuration. It is not started again,
   * because a restart cannot help.
   */
  readonly onBadConfiguration: (reason: string) => void;
}

const badConfiguration = 78;
const pauseLeastMs = 250;
const pauseMostMs = 10_000;
/**
 * A process that ran for at least this time was healthy: the pause before its next start is the
 * shortest pause.
 */
const healthyAfterMs = 10_000;

/**
 * Returns the pause in ms before the next start: 250 ms after 0 consecutive failures, doubled with
 * each further failure, at most 10 s.
 */
export const pauseMs = (failures: number): number =>
  Math.min(pauseMostMs, pauseLeastMs * 2 ** Math.min(failures, 16));

/**
 * Starts a process, and starts it again whenever it ends, until `stop` is called or the process
 * rejects its configuration.
 * @throws Error if the first start fails.
 */
export const keepRunning = async (what: Supervision): Promise<SupervisedProcess> => {
  const stopping = new AbortController();
  const start = () => follow(what, stopping.signal);
  let current = await start();
  const supervise = async () => {
    for (let failures = 0; ; ) {
      const startedAt = performance.now();
      const code = await current.ended;
      if (stopping.signal.aborted) return;
      const reason = reasonOf(current.process);
      if (code === badConfiguration) {
        what.onBadConfiguration(reason ?? 'its log names no reason');
        return;
      }
      if (performance.now() - startedAt > healthyAfterMs) failures = 0;
      const why = reason ? `: ${reason};` : ',';
      what.say(`ended (${code})${why} is started again in ${pauseMs(failures)} ms`);
      for (let next: Started | undefined; next === undefined; ) {
        await sleep(pauseMs(failures), undefined, { signal: stopping.signal }).catch(() => {});
        if (stopping.signal.aborted) return;
        failures += 1;
        // Try again after a pause: a start fails if the machine has no free process or file
        // descriptor, or no space for the log.
        next = await start().catch((error: Error) => {
          if (!stopping.signal.aborted)
            what.say(
              `could not be started (${error.message}), is started again in ${pauseMs(failures)} ms`,
            );
          return undefined;
        });
        current = next ?? current;
      }
      what.onRestart();
    }
  };
  const supervised = supervise();
  return {
    pid: () => current.process.pid,
    stop: async () => {
      stopping.abort();
      await current.process.stop();
      await supervised;
    },
  };
};

interface Started {
  readonly process: GuardedProcess;
  readonly ended: Promise<number>;
}

/**
 * Returns why a process ended, from its log; undefined if the log cannot be read or contains no
 * reason.
 */
const reasonOf = (process: GuardedProcess): string | undefined => {
  try {
    return lastFatal(process.output());
  } catch {
    return undefined;
  }
};

/** Starts the process once, and shows its warnings and errors until it ends. */
const follow = async (
  { guards, name, command, say }: Supervision,
  stopping: AbortSignal,
): Promise<Started> => {
  const process = await guards.run(name, command);
  const show = (line: string) => {
    const shown = worthShowing(line);
    if (shown !== undefined && !stopping.aborted) say(shown);
  };
  let log: LogFollower;
  try {
    log = followLog(process.logFile, process.logStart, show);
  } catch (error) {
    await process.stop(); // the caller starts another one
    throw error;
  }
  const ended = process.exited.then((code) => {
    log.stop();
    return code;
  });
  if (stopping.aborted) await process.stop();
  return { process, ended };
};
