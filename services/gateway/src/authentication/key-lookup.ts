import { setTimeout as sleep } from 'node:timers/promises';
import { createBatches } from '@pto/concurrency';
import type { Sql } from '@pto/database';
import type { Credentials } from './credentials.ts';
import { createCredentialsCache } from './credentials-cache.ts';
import { findCredentials } from './find-credentials.ts';

const batchMax = 1000;
/** Minimum time between two statements for all throttled addresses together, in ms. */
const throttledPauseMs = 100;

/**
 * Finds keys for the requests of this replica: in memory, else in the database, by one statement at
 * a time. Throttled addresses share one look-up of 1000 keys per 100 ms, so their unknown keys cost
 * at most ten statements per second. A valid key from a throttled address is delayed by 100 to
 * 200 ms if the key is not in memory.
 */
export const createKeyLookup = (sql: Sql) => {
  const cache = createCredentialsCache();
  const batched = (pauseMs: number) => {
    let startedAt = Number.NEGATIVE_INFINITY;
    return createBatches<string, Credentials | null>(
      async (names) => {
        const pause = startedAt + pauseMs - performance.now();
        if (pause > 0) await sleep(pause);
        startedAt = performance.now();
        const hashes = names.map((name) => Buffer.from(name, 'base64'));
        const found = await findCredentials(sql, hashes);
        return (name) => found.get(name) ?? null;
      },
      { inFlightMax: 1, batchMax },
    );
  };
  const lookUp = batched(0);
  const lookUpThrottled = batched(throttledPauseMs);
  return {
    /**
     * Returns the credentials of the key with this name (`hashText`), or null for an unknown key.
     * @param isThrottled called only if the key is not in memory.
     */
    find: (name: string, isThrottled: () => Promise<boolean>): Promise<Credentials | null> =>
      cache.find(name, async () => ((await isThrottled()) ? lookUpThrottled : lookUp)(name)),
    forget: cache.forget,
  };
};

export type KeyLookup = ReturnType<typeof createKeyLookup>;
