import { execute, firstUuidv7, type Sql } from '@pto/database';
import { readClock } from '../database-clock.ts';
import { tables } from '../schema/entities.ts';

const dayMs = 86_400_000;
/** The rotation of each cell drops older days at its own time (`daysKept` of service.ts). */
const daysCounted = 29;

/**
 * Counts the organization's rows of each table that source and target have alike after the last
 * copy: of the history, those of the last 29 days.
 */
export const countCopied = async (
  sql: Sql,
  organizationId: string,
): Promise<Record<string, bigint>> => {
  const now = (await readClock(sql))();
  const since = firstUuidv7(Math.floor(now / dayMs) * dayMs - daysCounted * dayMs);
  const [row] = await execute(
    sql,
    tables.selectNoFrom(({ fn, selectFrom }) => {
      const all = (
        table:
          | 'endpoints'
          | 'endpoint_secrets'
          | 'endpoint_sequences'
          | 'endpoint_creations'
          | 'pending_deliveries'
          | 'quarantined_deliveries',
      ) =>
        selectFrom(table)
          .select(fn.countAll<string>().as('count'))
          .where('organization_id', '=', organizationId)
          .as(table);
      const recent = (table: 'events' | 'deliveries') =>
        selectFrom(table)
          .select(fn.countAll<string>().as('count'))
          .where('organization_id', '=', organizationId)
          .where('id', '>=', since)
          .as(table);
      const attempts = selectFrom('attempts')
        .select(fn.countAll<string>().as('count'))
        .where('organization_id', '=', organizationId)
        .where('delivery_id', '>=', since)
        .as('attempts');
      return [
        all('endpoints'),
        all('endpoint_secrets'),
        all('endpoint_sequences'),
        all('endpoint_creations'),
        all('pending_deliveries'),
        all('quarantined_deliveries'),
        recent('events'),
        recent('deliveries'),
        attempts,
      ];
    }),
  );
  return Object.fromEntries(
    Object.entries(row!).map(([table, count]) => [table, BigInt(count as string)]),
  );
};
