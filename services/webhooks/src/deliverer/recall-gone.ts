import type { Database } from '@pto/database';
import type { Flights } from './flights.ts';

/** Gives up attempts on endpoints that another replica has deleted, disabled or broken. */
export const recallGone = async (db: Database, flights: Flights): Promise<void> => {
  if (flights.size === 0) return;
  const asked = new Set(flights.counts().keys());
  const rows = await db.query<{ id: string; epoch: number }>(
    'select id, epoch from endpoints where id = any ($1::uuid[])',
    [[...asked]],
  );
  const epochs = new Map(rows.map((row) => [row.id, row.epoch]));
  const isGone = (id: string) => asked.has(id) && !epochs.has(id);
  flights.recall((id, epoch) => isGone(id) || (epochs.get(id) ?? 0) > epoch);
};
