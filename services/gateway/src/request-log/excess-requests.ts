import type { NewRequest } from '../schema/tables.ts';

/** Rows of an organization, replica and minute that no budget has granted. */
export const excessPerMinute = 60;
const minuteMs = 60_000;

/**
 * Bounds the rows of requests that no budget of their key has granted: those with a 429, those that
 * disconnected before, and those from an address that the key may not be used from. The others are
 * bounded by the budgets. Each organization has its own count, so none displaces another's rows.
 */
export const createExcessRequests = () => {
  const minutes = new Map<string, { since: number; count: number; next?: NewRequest }>();
  return {
    /** Returns whether the request gets a row now. */
    admit: (row: NewRequest): boolean => {
      const minute = minutes.get(row.organization_id) ?? { since: performance.now(), count: 0 };
      minutes.set(row.organization_id, minute);
      minute.count += 1;
      if (minute.count <= excessPerMinute) return true;
      minute.next ??= row;
      return false;
    },
    /**
     * Ends the minutes that are over, or all. Returns a row for each that has left out requests: the
     * first of them, with the number of later ones.
     */
    end: (all = false): NewRequest[] => {
      const before = all ? Number.POSITIVE_INFINITY : performance.now() - minuteMs;
      return [...minutes].flatMap(([organization, { since, count, next }]) => {
        if (since > before) return [];
        minutes.delete(organization);
        return next ? [{ ...next, left_out: count - excessPerMinute - 1 || null }] : [];
      });
    },
  };
};
