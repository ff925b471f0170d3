import type { Logger } from '@pto/telemetry';
import { startWorker } from '@pto/worker';

/**
 * Runs `work` in a loop, with a pause of `everyMs` before each run. A failed run is logged and does
 * not end the loop.
 * @param task names the work in the log.
 */
export const repeat = (
  task: string,
  everyMs: number,
  work: () => Promise<void>,
  log: Logger,
): { stop(): Promise<void> } =>
  startWorker({
    firstPauseMs: everyMs,
    tick: async () => {
      await work();
      return everyMs;
    },
    failed: (err) => {
      log.warn({ err, task }, 'a periodic task failed; the next tick runs it again');
      return everyMs;
    },
  });
