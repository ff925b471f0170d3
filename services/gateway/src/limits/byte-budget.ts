interface Level {
  /** Bytes charged and not yet drained. */
  bytes: number;
  /** Milliseconds of the monotonic clock. */
  at: number;
  /** From the burst's end until half of the burst has drained. */
  isOver: boolean;
}

/**
 * A budget of bytes for each name: `burstBytes` at once, then `bytesPerSecond`. It may be overdrawn,
 * because a response's size is known when it is sent; the debt is paid by waiting. There is one
 * small entry for each organization that has used this replica.
 */
export const createByteBudgets = (bytesPerSecond: number, burstBytes: number) => {
  const levels = new Map<string, Level>();

  const levelOf = (name: string, now: number): Level => {
    const level = levels.get(name) ?? { bytes: 0, at: now, isOver: false };
    levels.set(name, level);
    level.bytes = Math.max(0, level.bytes - ((now - level.at) * bytesPerSecond) / 1000);
    level.at = now;
    if (level.bytes > burstBytes) level.isOver = true;
    else if (level.bytes <= burstBytes / 2) level.isOver = false;
    return level;
  };

  return {
    charge: (name: string, bytes: number, now: number): void => {
      levelOf(name, now).bytes += bytes;
    },
    /** Whether the name has used its burst and not yet regained half of it. */
    isOver: (name: string, now: number): boolean => levelOf(name, now).isOver,
    /** Milliseconds until the debt is paid; 0 without a debt. */
    waitMs: (name: string, now: number): number =>
      Math.max(0, ((levelOf(name, now).bytes - burstBytes) * 1000) / bytesPerSecond),
  };
};
