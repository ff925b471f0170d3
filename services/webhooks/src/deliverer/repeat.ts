import type { Logger } from '@pto/telemetry';

/** Runs work again and again, each time so long after the last one ended. Failures are logged. */
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
        .catch((err) => log.warn({ err }, 'regular work failed, and will be tried again'))
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
