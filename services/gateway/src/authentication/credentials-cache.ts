import type { Credentials } from './credentials.ts';

/** Younger than the 5 s after which a revocation holds everywhere (decision 20). */
const maxAgeMs = 4000;
/** Of known keys, and of unknown ones: many unknown keys never push a known one out. */
const entriesMax = 10_000;

interface Entry {
  readonly at: number;
  readonly found: Promise<Credentials | null>;
}

const emptyCache = () => ({
  pending: new Map<string, Entry>(),
  known: new Map<string, Entry>(),
  unknown: new Map<string, Entry>(),
});

/** Adds an entry as the newest, and drops the oldest beyond the bound. */
const store = (entries: Map<string, Entry>, name: string, entry: Entry): void => {
  entries.delete(name);
  entries.set(name, entry);
  if (entries.size > entriesMax) entries.delete(entries.keys().next().value!);
};

/**
 * Keys seen in the last 4 s, unknown ones included, the oldest dropped first. Requests with one
 * key at one moment share one look-up.
 */
export const createCredentialsCache = () => {
  let cache = emptyCache();
  return {
    /** @param lookUp called if the cache has no answer of the last 4 s. */
    find: (
      hash: Buffer,
      lookUp: (hash: Buffer) => Promise<Credentials | null>,
    ): Promise<Credentials | null> => {
      const name = hash.toString('base64');
      const { pending, known, unknown } = cache;
      const seen = pending.get(name) ?? known.get(name) ?? unknown.get(name);
      if (seen && Date.now() - seen.at < maxAgeMs) return seen.found;
      const entry = { at: Date.now(), found: lookUp(hash) };
      pending.set(name, entry);
      entry.found.then(
        (credentials) => {
          pending.delete(name);
          known.delete(name);
          unknown.delete(name);
          store(credentials ? known : unknown, name, entry);
        },
        () => pending.delete(name),
      );
      return entry.found;
    },
    /** The operator has changed something: the next request asks the database. */
    forget: (): void => {
      cache = emptyCache();
    },
  };
};
