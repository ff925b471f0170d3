/** How long a batch waits for more calls. */
export interface Gather {
  /** Number of calls from which on a batch does not wait, and the next one may. */
  readonly calls: number;
  /** Minimum time from the begin of a batch to the begin of a smaller one, in ms. */
  readonly ms: number;
}

/**
 * Decides when the next batch may begin. A batch costs the database about as much for one call as
 * for four, so under load batches of one or two take the cores from the rest. A batch waits only if
 * the one before it had `calls` calls: fewer callers than that, each of which waits for its
 * response before it calls again, are never delayed. More of them are delayed little, because they
 * soon call again.
 */
export const gatherRule = ({ calls, ms }: Gather, now: () => number = () => performance.now()) => {
  let begunAt = 0;
  let lastSize = 0;
  return {
    /** Notes that a batch begins. */
    begin: (size: number): void => {
      begunAt = now();
      lastSize = size;
    },
    /** Returns the time in ms that a batch of the calls that wait must still wait. */
    waitMs: (waiting: number): number => {
      if (lastSize < calls || waiting >= calls) return 0;
      return Math.max(0, begunAt + ms - now());
    },
  };
};
