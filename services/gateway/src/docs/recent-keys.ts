import type { LogKeys } from './log-keys.ts';

/**
 * Returns a function that returns the log's keys, read at most `maxAgeMs` ago, or null if they
 * cannot be read. Older keys are never returned: a key that was rotated out must not stay trusted.
 * Concurrent callers share one read.
 */
export const recentKeys = (
  read: () => Promise<LogKeys>,
  maxAgeMs: number,
  now: () => number = () => performance.now(),
): (() => Promise<LogKeys | null>) => {
  let last: { readonly keys: LogKeys; readonly readAt: number } | undefined;
  let reading: Promise<LogKeys | null> | undefined;
  const readOnce = async (): Promise<LogKeys | null> => {
    const readAt = now();
    try {
      const keys = await read();
      last = { keys, readAt };
      return keys;
    } catch {
      return null;
    } finally {
      reading = undefined;
    }
  };
  return async () => {
    if (last && now() - last.readAt < maxAgeMs) return last.keys;
    reading ??= readOnce();
    return await reading;
  };
};
