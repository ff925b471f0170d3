import { type Database, type Given, statement } from '@pto/database';
import { tables } from '../schema/tables.ts';
import type { InFlightAttempts } from './in-flight.ts';

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
