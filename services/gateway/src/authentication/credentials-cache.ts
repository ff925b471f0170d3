import type { Credentials } from './credentials.ts';

/** Younger than the 5 s after which a revocation holds everywhere (decision 20). */
const maxAgeMs = 4000;
const entriesMax = 10_000;

interface Entry {
  readonly at: number;
  readonly found: Promise<Credentials | null>;
}

/**
 * Keys seen in the last 4 s, unknown ones included, the oldest dropped first. Requests with one
 * key at one moment share one look-up.
 */
export const createCredentialsCache = (
  find: (hash: Buffer) => Promise<Credentials | null>,
): {
  find(hash: Buffer): Promise<Credentials | null>;
  /** Something was changed by the operator: the next request asks the database. */
  forget(): void;
} => {
  let entries = new Map<string, Entry>();
  return {
    find: (hash) => {
      const name = hash.toString('base64');
      const known = entries.get(name);
      if (known && Date.now() - known.at < maxAgeMs) return known.found;
      const found = find(hash);
      const entry = { at: Date.now(), found };
      entries.delete(name); // so that it moves to the end
      entries.set(name, entry);
      if (entries.size > entriesMax) entries.delete(entries.keys().next().value!);
      found.catch(() => {
        if (entries.get(name) === entry) entries.delete(name);
      });
      return found;
    },
    forget: () => {
      entries = new Map();
    },
  };
};
