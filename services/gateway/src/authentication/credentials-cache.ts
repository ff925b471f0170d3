import type { Credentials } from './credentials.ts';

/**
 * Maximum age of an entry in ms. A revocation must take effect within 5 s (decision 20).
 */
const maxAgeMs = 4000;
/**
 * Maximum number of cached known keys, and separately of cached unknown keys. So unknown keys never
 * displace known keys.
 */
const entriesMax = 10_000;

interface Entry {
  readonly at: number;
  readonly found: Promise<Credentials | null>;
}

const isFresh = ({ at }: Entry): boolean => performance.now() - at < maxAgeMs;

/** A look-up that runs is among the unknown keys until it has found credentials. */
const emptyCache = () => ({ known: new Map<string, Entry>(), unknown: new Map<string, Entry>() });

/** Adds an entry as the newest. Drops the oldest entry if there are more than `entriesMax`. */
const store = (entries: Map<string, Entry>, name: string, entry: Entry): void => {
  entries.delete(name);
  entries.set(name, entry);
  if (entries.size > entriesMax) entries.delete(entries.keys().next().value!);
};

/**
 * Caches the credentials of keys for 4 s, unknown keys included; the oldest entries are dropped
 * first. Concurrent requests with one key share one look-up.
 */
export const createCredentialsCache = () => {
  let cache = emptyCache();
  return {
    /**
     * Returns the credentials of the key with this name (`hashText`), or null for an unknown key.
     * @param lookUp called if the cache has no entry of the last 4 s.
     */
    find: (
      name: string,
      lookUp: (name: string) => Promise<Credentials | null>,
    ): Promise<Credentials | null> => {
      const { known, unknown } = cache;
      for (const seen of [known.get(name), unknown.get(name)])
        if (seen && isFresh(seen)) return seen.found;
      const entry: Entry = { at: performance.now(), found: lookUp(name) };
      store(unknown, name, entry);
      entry.found.then(
        (credentials) => {
          known.delete(name);
          if (credentials === null) return;
          unknown.delete(name);
          store(known, name, entry);
        },
        () => unknown.delete(name),
      );
      return entry.found;
    },
    /**
     * Empties the cache after an operator's change, so that the next request reads the database.
     */
    forget: (): void => {
      cache = emptyCache();
    },
  };
};
