import { type Database, firstUuidv7 } from '@pto/database';
import { readClock } from '../database-clock.ts';

const dayMs = 86_400_000;
const batchMax = 5000;

const isNotQueued = `not exists (select from pending_deliveries p
  where p.organization_id = r.organization_id and p.delivery_id = r.id)`;

/** The tables, their columns with the time of a row, and which of the expired rows go. */
const expired = [
  ['events', 'id', 'true'],
  ['deliveries', 'id', isNotQueued],
  ['attempts', 'delivery_id', 'true'],
] as const;

/**
 * Deletes some rows of a table's default partition, which no rotation drops, and counts them. The
 * statement is text, because it finds the rows again by ctid, a column that no entity declares.
 *
 * $1 the first id that stays
 */
const deletion = ([table, id, condition]: (typeof expired)[number]): string => {
  const isOld = `r.tableoid = to_regclass('${table}_other') and r.${id} < $1`;
  return `with gone as (
    delete from ${table} r where ${isOld} and r.ctid = any(array(
      select r.ctid from ${table} r where ${isOld} and ${condition} limit ${batchMax}))
    returning 1
  ) select count(*)::int as count from gone`;
};

/**
 * Deletes expired rows that a move has brought to the default partitions: a cell has no partitions
 * of the days before its first one, and the rotation drops whole days alone. A delivery that is
 * queued stays.
 * @param days the number of days for which rows are stored.
 */
export const expireMoved = async (db: Database, days: number): Promise<void> => {
  const now = (await readClock(db))();
  const before = firstUuidv7((Math.floor(now / dayMs) - days) * dayMs);
  for (const sql of expired.map(deletion))
    for (let deleted = batchMax; deleted === batchMax; ) {
      const [row] = await db.query<{ count: number }>(sql, [before]);
      deleted = row!.count;
    }
};
