import { type Database, type Given, statement } from '@pto/database';
import { tables } from '../schema/entities.ts';
import type { Claimed } from './claim.ts';

/** One attempt that was started and whose result is not recorded yet. */
export interface InFlightAttempt {
  readonly claimed: Claimed;
  /** Aborts the request. */
  readonly abort: AbortController;
  /**
   * Resolves when the request is over (response, error or abort), or when the attempt ends without
   * a request.
   */
  readonly ended: Promise<void>;
  /** Resolves when the result is recorded, or when it is certain that this process records none. */
  readonly recorded: Promise<void>;
}

export type InFlightAttempts = ReturnType<typeof createInFlightAttempts>;

/** Returns the in-flight attempts of this process: none at first. */
export const createInFlightAttempts = () => {
  /** Attempts whose result is not recorded yet, and those of them whose request is not over. */
  const attempts = new Set<InFlightAttempt>();
  const sending = new Set<InFlightAttempt>();
  return {
    /** Number of attempts whose request is not over; each occupies a concurrency slot. */
    get size() {
      return sending.size;
    },
    /** Number of attempts whose request is over and whose result is not recorded yet. */
    get unrecorded() {
      return attempts.size - sending.size;
    },
    /**
     * Adds a started attempt.
     * @param ended called when the attempt's request is over and its slot is free.
     */
    add: (attempt: InFlightAttempt, ended: () => void): void => {
      attempts.add(attempt);
      sending.add(attempt);
      attempt.ended.then(() => {
        sending.delete(attempt);
        ended();
      });
      attempt.recorded.then(() => attempts.delete(attempt));
    },
    /** Number of attempts whose request is not over, by endpoint id. */
    counts: (): ReadonlyMap<string, number> => {
      const counts = new Map<string, number>();
      for (const { claimed } of sending)
        counts.set(claimed.endpointId, (counts.get(claimed.endpointId) ?? 0) + 1);
      return counts;
    },
    /** Aborts each attempt whose endpoint id and generation make `isRecalled` return true. */
    recall: (isRecalled: (endpointId: string, generation: number) => boolean): void => {
      for (const { claimed, abort } of sending)
        if (isRecalled(claimed.endpointId, claimed.generation)) abort.abort();
    },
    /** Resolves when `recorded` of all present attempts has resolved. */
    recorded: async (): Promise<void> => {
      await Promise.all([...attempts].map(({ recorded }) => recorded));
    },
  };
};

const selectGenerations = statement((given: Given<{ ids: readonly string[] }>) =>
  tables
    .selectFrom('endpoints')
    .select(['id', 'generation'])
    .where(({ eb, fn }) => eb('id', '=', fn.any(given.ids))),
);

/**
 * Aborts this process's attempts on endpoints that were deleted or have a newer generation, for
 * example because they were disabled or became BROKEN.
 */
export const recallGone = async (db: Database, attempts: InFlightAttempts): Promise<void> => {
  if (attempts.size === 0) return;
  const ids = new Set(attempts.counts().keys());
  const rows = await selectGenerations(db, { ids: [...ids] });
  const generations = new Map(rows.map((row) => [row.id, row.generation]));
  const isGone = (id: string) => ids.has(id) && !generations.has(id);
  attempts.recall((id, generation) => isGone(id) || (generations.get(id) ?? 0) > generation);
};
