import type { Sql } from '@pto/database';
import { createBatchedLookup } from './batched-lookup.ts';
import type { Credentials } from './credentials.ts';
import { createCredentialsCache } from './credentials-cache.ts';
import { findCredentials } from './find-credentials.ts';

/** Look-ups for addresses that are not throttled: no pause, one statement at a time. */
const usual = { pauseMs: 0, batchMax: 256, waitingMax: 10_000 };
/** Look-ups for all throttled addresses together: at most ten statements per second. */
const throttled = { pauseMs: 100, batchMax: 1000, waitingMax: 10_000 };

/**
 * Finds keys for the requests of this replica: in memory, else in the database. Throttled addresses
 * share one look-up of 1000 keys per 100 ms, so their unknown keys cost at most ten statements per
 * second. A valid key from a throttled address is delayed by about 100 ms if the key is not in
 * memory.
 */
export const createKeyLookup = (sql: Sql) => {
  const cache = createCredentialsCache();
  const findMany = (names: readonly string[]) =>
    findCredentials(
      sql,
      names.map((name) => Buffer.from(name, 'base64')),
    );
  const lookUp = createBatchedLookup(findMany, usual);
  const lookUpThrottled = createBatchedLookup(findMany, throttled);
  return {
    /**
     * Returns the credentials of the key with this name (`apiKeyName`), or null for an unknown key.
     * @param isThrottled called only if the key is not in memory.
     */
    find: (name: string, isThrottled: () => Promise<boolean>): Promise<Credentials | null> =>
      cache.find(name, async () => ((await isThrottled()) ? lookUpThrottled : lookUp)(name)),
    forget: cache.forget,
  };
};

export type KeyLookup = ReturnType<typeof createKeyLookup>;
