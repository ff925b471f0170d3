import { backoffMs } from './worker.ts';

/**
 * Rests of the parts of one loop, such as its shards: a part pauses after its own failures, by
 * `backoffMs`, while the other parts continue.
 */
export const createRests = <Part>() => {
  const resting = new Map<Part, { failures: number; until: number }>();
  return {
    /** @returns the consecutive failures of the part, this one included. */
    failed: (part: Part): number => {
      const failures = (resting.get(part)?.failures ?? 0) + 1;
      resting.set(part, { failures, until: performance.now() + backoffMs(failures) });
      return failures;
    },
    succeeded: (part: Part): void => void resting.delete(part),
    /** Whether the part still pauses. */
    rests: (part: Part): boolean => (resting.get(part)?.until ?? 0) > performance.now(),
    /** Whether any part has failed and has not succeeded since. */
    any: (): boolean => resting.size > 0,
  };
};
