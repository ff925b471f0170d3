import { type Database, type Placeholders, statement } from '@pto/database';
import { tables } from '../schema/entities.ts';
import type { Claimed } from './claim.ts';
import type { EndpointSlots } from './claim-sql.ts';

/** What an attempt in progress may use of the list of in-flight attempts. */
export interface InFlight {
  /** Aborted when the request must end, because its endpoint was deleted or disabled. */
  readonly signal: AbortSignal;
  /** Frees the attempt's concurrency slot: the request is over, its result is not recorded yet. */
  ended(): void;
}

export type InFlightAttempts = ReturnType<typeof createInFlightAttempts>;

/** Returns the in-flight attempts of this process: none at first. */
export const createInFlightAttempts = () => {
  /** Attempts whose request is not over. */
  const sending = new Set<{ readonly claimed: Claimed; readonly abort: AbortController }>();
  /** All attempts; each resolves when its result is recorded, or will not be by this process. */
  const running = new Set<Promise<void>>();
  return {
    /** Number of attempts whose request is not over; each occupies a concurrency slot. */
    get size() {
      return sending.size;
    },
    /** Number of attempts whose request is over and whose result is not recorded yet. */
    get unrecorded() {
      return running.size - sending.size;
    },
    /**
     * Starts an attempt.
     * @param freed called when the attempt's request is over and its slot is free.
     */
    start: (
      claimed: Claimed,
      run: (inFlight: InFlight) => Promise<void>,
      freed: () => void,
    ): void => {
      const attempt = { claimed, abort: new AbortController() };
      sending.add(attempt);
      const ended = () => {
        if (sending.delete(attempt)) freed();
      };
      const recorded = run({ signal: attempt.abort.signal, ended }).then(() => {
        running.delete(recorded);
        ended();
      });
      running.add(recorded);
    },
    /** The attempts whose request is not over, by endpoint id. */
    counts: (): ReadonlyMap<string, EndpointSlots> => {
      const counts = new Map<string, EndpointSlots>();
      for (const { claimed } of sending) {
        const { endpointId, organizationId } = claimed;
        const slots = (counts.get(endpointId)?.slots ?? 0) + 1;
        counts.set(endpointId, { organizationId, slots });
      }
      return counts;
    },
    /** Aborts each attempt whose endpoint id and generation make `isRecalled` return true. */
    recall: (isRecalled: (endpointId: string, generation: number) => boolean): void => {
      for (const { claimed, abort } of sending)
        if (isRecalled(claimed.endpointId, claimed.generation)) abort.abort();
    },
    /** Resolves when all present attempts are recorded. */
    recorded: async (): Promise<void> => {
      await Promise.all(running);
    },
  };
};

const selectGenerations = statement(
  (given: Placeholders<{ organizationIds: readonly string[]; ids: readonly string[] }>) =>
    tables
      .selectFrom('endpoints')
      .select(['id', 'generation'])
      .where(({ eb, fn }) => eb('organization_id', '=', fn.any(given.organizationIds)))
      .where(({ eb, fn }) => eb('id', '=', fn.any(given.ids))),
);

/**
 * Aborts this process's attempts on endpoints that were deleted or have a newer generation, for
 * example because they were disabled or became BROKEN.
 */
export const recallGone = async (db: Database, attempts: InFlightAttempts): Promise<void> => {
  if (attempts.size === 0) return;
  const counts = attempts.counts();
  const ids = new Set(counts.keys());
  const organizationIds = [...counts.values()].map(({ organizationId }) => organizationId);
  const rows = await selectGenerations(db, { organizationIds, ids: [...ids] });
  const generations = new Map(rows.map((row) => [row.id, row.generation]));
  const isGone = (id: string) => ids.has(id) && !generations.has(id);
  attempts.recall((id, generation) => isGone(id) || (generations.get(id) ?? 0) > generation);
};
