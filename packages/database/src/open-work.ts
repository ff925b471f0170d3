import { Failure } from '@pto/errors';

/** Knows the work under way, so that an end can wait for it. */
export const createOpenWork = () => {
  const open = new Set<Promise<unknown>>();
  let hasEnded = false;
  return {
    /** @throws Failure SERVICE_UNAVAILABLE after the end. */
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
    /** Admits no more work, and resolves when the last has settled. */
    end: async (): Promise<void> => {
      hasEnded = true;
      await Promise.allSettled(open);
    },
  };
};
