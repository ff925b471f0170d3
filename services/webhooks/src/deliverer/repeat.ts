import type { Logger } from '@pto/telemetry';

/** Runs work in a loop, with a pause of `everyMs` after each run. Failures are logged. */
export const repeat = (
  everyMs: number,
  work: () => Promise<void>,
  log: Logger,
): { stop(): Promise<void> } => {
  let stopping = false;
  let running = Promise.resolve();
  let timer: NodeJS.Timeout;
  const plan = () => {
    timer = setTimeout(() => {
      running = work()
        .catch((err) => log.warn({ err }, 'periodic work failed and will be retried'))
        .then(() => {
          if (!stopping) plan();
        });
    }, everyMs);
  };
  plan();
  return {
    stop: async () => {
      stopping = true;
      clearTimeout(timer);
      await running;
    },
  };
};
