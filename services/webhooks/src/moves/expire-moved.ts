import { type Database, execute, firstUuidv7, fragment } from '@pto/database';
import { readClock } from '../database-clock.ts';
import { tables } from '../schema/entities.ts';

const dayMs = 86_400_000;
const batchMax = 5000;

/** The tables, and their columns with the time of a row. */
const moved = [
  ['events', 'id'],
  ['deliveries', 'id'],
  ['attempts', 'delivery_id'],
] as const;

const isNotQueued = fragment<boolean>`not exists (select from pending_deliveries p
  where p.organization_id = deliveries.organization_id and p.delivery_id = deliveries.id)`;

/**
 * Deletes some rows of a table's default partition, which no rotation drops. Rows are found again by
 * ctid, a column that no entity declares.
 */
const deletion = ([name, id]: (typeof moved)[number], before: string) => {
  const table = name as 'events'; // the columns below are those of all three tables
  const isOld = fragment<boolean>`tableoid = to_regclass(${fragment.lit(`${name}_other`)})
    and ${fragment.ref(id)} < ${before}`;
  const some = tables
    .selectFrom(table)
    .select(fragment<string>`ctid`.as('place'))
    .where(isOld)
    .$if(name === 'deliveries', (rows) => rows.where(isNotQueued))
    .limit(batchMax);
  return tables
    .deleteFrom(table)
    .where(isOld)
    .where(fragment<boolean>`ctid = any(array(${some}))`)
    .returning('organization_id');
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
  for (const one of moved)
    for (let deleted = batchMax; deleted === batchMax; )
      deleted = (await execute(db, deletion(one, before))).length;
};
