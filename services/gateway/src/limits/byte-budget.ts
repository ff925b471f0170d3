/**
 * First estimate of a request's cost in bytes, while this replica has measured no request of the
 * organization. The budget is charged with the estimate only beside other requests in flight.
 */
const usualBytes = 64 * 1024;
/**
 * The expected bytes of an organization's requests halve in this time after an expensive request.
 */
const halfLifeMs = 30_000;

interface Level {
  /** Bytes charged and not yet drained by time. */
  bytes: number;
  /**
   * Bytes that the next request is expected to cost: the largest recent cost, halved per half-life.
   */
  expected: number;
  inFlight: number;
  /** Time of this level in milliseconds of the monotonic clock. */
  at: number;
}

/**
 * Creates a byte budget for each name: `burstBytes` at once, then `bytesPerSecond`. A budget may be
 * overdrawn, because a response's size is known only when it is sent; later requests wait until the
 * debt is paid. Each organization that has used this replica has one small entry.
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
     * @returns whether the request may run beside the others in flight: the expected bytes of all
     * of them are within the burst.
     */
    begin: (name: string, now: number): boolean => {
      const level = levelOf(name, now);
      level.inFlight++;
      const expected = level.inFlight === 1 ? 0 : level.inFlight * level.expected;
      return level.bytes + expected <= burstBytes;
    },
    /** Returns the milliseconds until the debt is paid; 0 without a debt. */
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
