import { setTimeout as sleep } from 'node:timers/promises';
import type { GuardedCommand, GuardedProcess, Guards } from '@pto/stores';
import { followLog, lastFatal, worthShowing } from './service-log.ts';

/** A process that is started again whenever it ends, as Kubernetes would. */
export interface SupervisedProcess {
  /** Of the process that runs now, or ran last. */
  pid(): number;
  /** For good. Waits for the process to end. */
  stop(): Promise<void>;
}

export interface Supervision {
  readonly guards: Guards;
  /** Also the log's name. */
  readonly name: string;
  readonly command: GuardedCommand;
  /** A line of its log that a person at the terminal should see. */
  readonly say: (line: string) => void;
  /** The process ended unexpectedly and is restarted after a pause. */
  readonly onEnd: (code: number, reason: string | undefined, pauseMs: number) => void;
  /** It runs again, under another process id. */
  readonly onRestart: () => void;
  /** It rejected its configuration: starting it again cannot help. Nothing is tried any more. */
  readonly onBadConfiguration: (reason: string) => void;
}

const badConfiguration = 78;
const pauseLeastMs = 250;
const pauseMostMs = 10_000;
/** Who ran this long was well: the next pause is the shortest again. */
const healthyAfterMs = 10_000;

/** The pause before the nth start in a row that did not last, from 0: doubling, up to 10 s. */
export const pauseMs = (failures: number): number =>
  Math.min(pauseMostMs, pauseLeastMs * 2 ** Math.min(failures, 16));

/** Starts a process and keeps one running until stop() is called. */
export const keepRunning = async (what: Supervision): Promise<SupervisedProcess> => {
  const stopping = new AbortController();
  const start = () => follow(what, stopping.signal);
  let current = await start();
  const supervise = async () => {
    for (let failures = 0; ; ) {
      const startedAt = Date.now();
      const code = await current.ended;
      if (stopping.signal.aborted) return;
      const reason = lastFatal(current.process.output());
      if (code === badConfiguration) {
        what.onBadConfiguration(reason ?? 'it did not say why');
        return;
      }
      if (Date.now() - startedAt > healthyAfterMs) failures = 0;
      const pause = pauseMs(failures);
      failures += 1;
      what.onEnd(code, reason, pause);
      await sleep(pause, undefined, { signal: stopping.signal }).catch(() => {});
      if (stopping.signal.aborted) return;
      current = await start();
      what.onRestart();
    }
  };
  const supervised = supervise().catch((error: Error) => {
    if (!stopping.signal.aborted) what.onBadConfiguration(error.message);
  });
  return {
    pid: () => current.process.pid,
    stop: async () => {
      stopping.abort();
      await current.process.stop();
      await supervised;
    },
  };
};

/** Starts it once, and shows what is worth showing of its log until it ends. */
const follow = async (
  { guards, name, command, say }: Supervision,
  stopping: AbortSignal,
): Promise<{ process: GuardedProcess; ended: Promise<number> }> => {
  const process = await guards.run(name, command);
  const log = followLog(process.logFile, process.logStart, (line) => {
    const shown = worthShowing(line);
    if (shown !== undefined && !stopping.aborted) say(shown);
  });
  const ended = process.exited.then((code) => {
    log.stop();
    return code;
  });
  if (stopping.aborted) await process.stop();
  return { process, ended };
};
