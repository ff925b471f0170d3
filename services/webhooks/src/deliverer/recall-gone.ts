import type { Database } from '@pto/database';
import type { InFlightAttempts } from './in-flight.ts';

/** Aborts this process's attempts on endpoints that were deleted, disabled or became BROKEN. */
export const recallGone = async (db: Database, attempts: InFlightAttempts): Promise<void> => {
  if (attempts.size === 0) return;
  const ids = new Set(attempts.counts().keys());
  const rows = await db.query<{ id: string; generation: number }>(
    'select id, epoch as generation from endpoints where id = any ($1::uuid[])',
    [[...ids]],
  );
  const generations = new Map(rows.map((row) => [row.id, row.generation]));
  const isGone = (id: string) => ids.has(id) && !generations.has(id);
  attempts.recall((id, generation) => isGone(id) || (generations.get(id) ?? 0) > generation);
};
