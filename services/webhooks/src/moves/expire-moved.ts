import { type Database, execute, firstUuidv7, fragment } from '@pto/database';
import { readClock } from '../database-clock.ts';
import { tables } from '../schema/entities.ts';

const dayMs = 86_400_000;
const batchMax = 5000;

/** The condition that a row is in the default partition of its table, which no rotation drops. */
const inDefaultPartition = (table: string) =>
  fragment<boolean>`tableoid = to_regclass(${fragment.lit(`${table}_other`)})`;

const expiredEvents = (before: string) =>
  tables
    .selectFrom('events')
    .select(['organization_id', 'id'])
    .where(inDefaultPartition('events'))
    .where('id', '<', before)
    .limit(batchMax);

const expiredDeliveries = (before: string) =>
  tables
    .selectFrom('deliveries as d')
    .select(['d.organization_id', 'd.id'])
    .where(fragment<boolean>`d.tableoid = to_regclass('deliveries_other')`)
    .where('d.id', '<', before)
    .where(({ exists, not, selectFrom }) =>
      not(
        exists(
          selectFrom('pending_deliveries as p')
            .whereRef('p.organization_id', '=', 'd.organization_id')
            .whereRef('p.delivery_id', '=', 'd.id'),
        ),
      ),
    )
    .limit(batchMax);

const expiredAttempts = (before: string) =>
  tables
    .selectFrom('attempts')
    .select(['organization_id', 'delivery_id', 'number'])
    .where(inDefaultPartition('attempts'))
    .where('delivery_id', '<', before)
    .limit(batchMax);

const deletions = (before: string) => [
  tables
    .deleteFrom('events')
    .where(({ eb, refTuple }) =>
      eb(
        refTuple('organization_id', 'id'),
        'in',
        expiredEvents(before).$asTuple('organization_id', 'id'),
      ),
    )
    .where('id', '<', before)
    .returning('id'),
  tables
    .deleteFrom('deliveries')
    .where(({ eb, refTuple }) =>
      eb(
        refTuple('organization_id', 'id'),
        'in',
        expiredDeliveries(before).$asTuple('organization_id', 'id'),
      ),
    )
    .where('id', '<', before)
    .returning('id'),
  tables
    .deleteFrom('attempts')
    .where(({ eb, refTuple }) =>
      eb(
        refTuple('organization_id', 'delivery_id', 'number'),
        'in',
        expiredAttempts(before).$asTuple('organization_id', 'delivery_id', 'number'),
      ),
    )
    .where('delivery_id', '<', before)
    .returning('delivery_id as id'),
];

/**
 * Deletes expired rows that a move has brought to the default partitions: a cell has no partitions
 * of the days before its first one, and the rotation drops whole days alone. A delivery that is
 * queued stays.
 * @param days the number of days for which rows are stored.
 */
export const expireMoved = async (db: Database, days: number): Promise<void> => {
  const now = (await readClock(db))();
  const before = firstUuidv7((Math.floor(now / dayMs) - days) * dayMs);
  for (const deletion of deletions(before))
    for (let deleted = batchMax; deleted === batchMax; )
      deleted = (await execute(db, deletion)).length;
};
