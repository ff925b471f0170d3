import type { Backends } from '../backends.ts';

/** The keys of the custody log: the body of /custody/keys.json. */
export interface LogKeys {
  readonly origin: string;
  readonly keys: readonly {
    readonly vkey: string;
    readonly valid_from: string;
    readonly valid_until: string | null;
  }[];
}

/**
 * Reads the log's keys from custody.
 * @param deadlineMs maximum duration of the RPC.
 * @throws Failure if custody is unavailable.
 */
export const readLogKeys = async (
  { log }: Pick<Backends, 'log'>,
  deadlineMs: number,
): Promise<LogKeys> => {
  const { origin, keys } = await log.listKeys({}, { deadline: performance.now() + deadlineMs });
  return {
    origin,
    keys: keys.map(({ vkey, validFrom, validUntil = null }) => ({
      vkey,
      valid_from: validFrom,
      valid_until: validUntil,
    })),
  };
};

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
