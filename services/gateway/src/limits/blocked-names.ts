import type { Usage } from './usage.ts';

/**
 * Stores each budget without remaining requests until the budget can grant its next request.
 * Meanwhile a client that does not wait causes no round trip to Redis.
 * @param namesMax maximum number of stored names; beyond that, the name that was added first is
 *   dropped.
 */
export const createBlockedNames = ({ namesMax }: { namesMax: number }) => {
  const blocked = new Map<string, Usage & { readonly since: number }>();
  return {
    /** Adds a used-up budget. @param now milliseconds of a clock that never goes back. */
    add: (name: string, usage: Usage, now: number): void => {
      blocked.delete(name);
      blocked.set(name, { ...usage, since: now });
      if (blocked.size > namesMax) blocked.delete(blocked.keys().next().value!);
    },
    /** Returns the usage at this time, or undefined if the next request can be granted. */
    find: (name: string, now: number): Usage | undefined => {
      const found = blocked.get(name);
      if (!found) return undefined;
      const passed = now - found.since;
      if (passed < found.nextInMs)
        return {
          granted: false,
          used: found.used,
          nextInMs: found.nextInMs - passed,
          fullInMs: found.fullInMs - passed,
        };
      blocked.delete(name);
      return undefined;
    },
  };
};
