import { Failure } from '@pto/errors';

/** Tracks the running work, so that `end` can wait for it. */
export const createOpenWork = () => {
  const open = new Set<Promise<unknown>>();
  let hasEnded = false;
  return {
    /** Runs work and tracks it. @throws Failure SERVICE_UNAVAILABLE after `end` was called. */
    run: async <T>(work: () => Promise<T>): Promise<T> => {
      if (hasEnded)
        throw new Failure('SERVICE_UNAVAILABLE', 'This process is ending.', {
          retryAfterSeconds: 1,
        });
      const running = work();
      open.add(running);
      try {
        return await running;
      } finally {
        open.delete(running);
      }
    },
    /** Rejects new work and resolves when all running work has settled. */
    end: async (): Promise<void> => {
      hasEnded = true;
      await Promise.allSettled(open);
    },
  };
};
