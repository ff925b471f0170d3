/**
 * Length of a budget's window in ms: a budget limits the requests granted within any 60 s (decision
 * 57).
 */
export const budgetWindowMs = 60_000;

/** A budget's state after a request, as both stores return it. */
export interface Usage {
  /** Whether the request was granted; always false if the usage was read with cost 0. */
  readonly granted: boolean;
  /** Requests granted within the last window. */
  readonly used: number;
  /** Milliseconds until the next request can be granted; 0 if it can be now. At most the window. */
  readonly nextInMs: number;
  /** Milliseconds until no granted request is within the window any more. At most the window. */
  readonly fullInMs: number;
}

/**
 * Creates a sliding window in memory. The time of each granted request is stored until it is one
 * window old, so no window contains more granted requests than the limit. Pure: the caller supplies
 * the time.
 * @param namesMax maximum number of stored names; beyond that, the name that is unused for longest
 *   is dropped.
 */
export const createSlidingWindow = ({
  windowMs,
  namesMax,
}: {
  windowMs: number;
  namesMax: number;
}) => {
  /** Times of granted requests by name, oldest first. Names are in order of last use. */
  const timesOf = new Map<string, number[]>();

  /**
   * Removes names without a time in the window, and names beyond `namesMax`: the least recently
   * used first, at most two per call. A call of `use` adds at most one name, so memory shrinks.
   */
  const sweep = (oldest: number): void => {
    for (let n = 0; n < 2; n++) {
      const [first] = timesOf;
      if (first && (timesOf.size > namesMax || first[1].at(-1)! <= oldest))
        timesOf.delete(first[0]);
    }
  };

  return {
    /**
     * Returns the usage of a budget.
     * @param cost 1 takes one request from the budget if it can be granted; 0 takes none.
     * @param now milliseconds of a clock that never goes back.
     */
    use: (name: string, limit: number, cost: 0 | 1, now: number): Usage => {
      const times = timesOf.get(name) ?? [];
      const first = times.findIndex((time) => time > now - windowMs);
      times.splice(0, first < 0 ? times.length : first);
      const granted = cost === 1 && times.length < limit;
      if (granted) times.push(now);
      timesOf.delete(name); // so that the name moves to the end
      if (times.length > 0) timesOf.set(name, times);
      sweep(now - windowMs);
      const used = times.length;
      const until = (time: number | undefined) => (time ?? now - windowMs) + windowMs - now;
      return {
        granted,
        used,
        nextInMs: used < limit ? 0 : until(times[used - limit]),
        fullInMs: until(times.at(-1)),
      };
    },
    /** Returns the number of stored names. */
    size: () => timesOf.size,
  };
};
