/**
 * Bytes that the first request of an organization in this replica is expected to cost. Like every
 * expected cost, this value halves in `halfLifeMs`.
 */
const usualBytes = 64 * 1024;
/** Time in which the expected bytes of an organization's next request halve, in ms. */
const halfLifeMs = 30_000;

interface Level {
  /** Bytes charged, less `bytesPerSecond` for the time since; at least 0. */
  bytes: number;
  /**
   * Bytes that the next request is expected to cost: the largest cost so far, where each cost
   * halves in `halfLifeMs`.
   */
  expected: number;
  inFlight: number;
  /** Time to which the level applies, in milliseconds of the monotonic clock. */
  at: number;
}

/**
 * Creates a byte budget for each name. A budget allows a burst of `burstBytes` and then
 * `bytesPerSecond`. A budget may be overdrawn, because a response's size is known only when it is
 * sent: later requests wait until time has reduced the charged bytes to `burstBytes`. Each name
 * that was used has one small entry, which is never removed.
 */
export const createByteBudgets = (bytesPerSecond: number, burstBytes: number) => {
  const levels = new Map<string, Level>();

  const levelOf = (name: string, now: number): Level => {
    const level = levels.get(name) ?? { bytes: 0, expected: usualBytes, inFlight: 0, at: now };
    levels.set(name, level);
    const ms = now - level.at;
    level.bytes = Math.max(0, level.bytes - (ms * bytesPerSecond) / 1000);
    level.expected *= 2 ** (-ms / halfLifeMs);
    level.at = now;
    return level;
  };

  return {
    /**
     * Starts a request; each call needs one call of `end`.
     * @returns whether the request may run without a wait: the charged bytes are within the burst.
     *   If other requests are in flight, the expected bytes of all requests are added to the
     *   charged bytes.
     */
    begin: (name: string, now: number): boolean => {
      const level = levelOf(name, now);
      level.inFlight++;
      const expected = level.inFlight === 1 ? 0 : level.inFlight * level.expected;
      return level.bytes + expected <= burstBytes;
    },
    /**
     * Returns the milliseconds until time has reduced the charged bytes to the burst; 0 if they are
     * within the burst.
     */
    waitMs: (name: string, now: number): number =>
      Math.max(0, ((levelOf(name, now).bytes - burstBytes) * 1000) / bytesPerSecond),
    /**
     * Ends a request.
     * @param bytes the request's cost; null if the byte budget rejected the request.
     */
    end: (name: string, bytes: number | null, now: number): void => {
      const level = levelOf(name, now);
      level.inFlight--;
      if (bytes === null) return;
      level.bytes += bytes;
      level.expected = Math.max(level.expected, bytes);
    },
  };
};
