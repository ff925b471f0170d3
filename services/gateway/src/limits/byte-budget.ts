/** Of an organization whose requests are not known yet. */
const usualBytes = 64 * 1024;
/** So long after an expensive request, half of its bytes are still expected of the next one. */
const halfLifeMs = 30_000;

interface Level {
  /** Bytes charged and not yet drained. */
  bytes: number;
  /** What a request is expected to cost: the largest recent one. */
  expected: number;
  inFlight: number;
  /** Milliseconds of the monotonic clock. */
  at: number;
}

/**
 * A budget of bytes for each name: `burstBytes` at once, then `bytesPerSecond`. It may be overdrawn,
 * because a response's size is known when it is sent; the debt is paid by waiting. There is one
 * small entry for each organization that has used this replica.
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
     * To be called before each request, with one call of `end` after it.
     * @returns whether it may run beside the others in flight: what they all are expected to cost
     *   is within the burst.
     */
    begin: (name: string, now: number): boolean => {
      const level = levelOf(name, now);
      level.inFlight++;
      const expected = level.inFlight === 1 ? 0 : level.inFlight * level.expected;
      return level.bytes + expected <= burstBytes;
    },
    /** Milliseconds until the debt is paid; 0 without a debt. */
    waitMs: (name: string, now: number): number =>
      Math.max(0, ((levelOf(name, now).bytes - burstBytes) * 1000) / bytesPerSecond),
    /** @param bytes what the request has cost; null if it was rejected here. */
    end: (name: string, bytes: number | null, now: number): void => {
      const level = levelOf(name, now);
      level.inFlight--;
      if (bytes === null) return;
      level.bytes += bytes;
      level.expected = Math.max(level.expected, bytes);
    },
  };
};
