import { type Database, execute, fragment, type Sql } from '@pto/database';
import { countRows } from '@pto/moves';
import { firstKeptId } from '../idempotency.ts';
import { tables } from '../schema/tables.ts';

const everyRow = [
  ...['orders', 'locations', 'produced_events', 'disclosures', 'entry_operators'],
] as const;

/**
 * Counts the rows that source and target both have after the last copy. Of rows that expire, those
 * that do not within an hour: each cell removes expired rows at its own time, and some expire
 * between the two counts.
 */
export const countOrganization = (
  db: Database,
  organizationId: string,
  keepMs: number,
): Promise<Record<string, bigint>> =>
  db.snapshot(async (sql) => ({
    ...(await countRows(sql, everyRow, organizationId)),
    ...(await countLasting(sql, organizationId, keepMs)),
  }));

const hourMs = 3_600_000;

const countLasting = async (sql: Sql, organizationId: string, keepMs: number) => {
  const count = fragment<string>`count(*)::text`.as('count');
  // the same in both cells, unless an hour ends between the two counts
  const age = fragment<number>`(${keepMs}::float8 - ${hourMs}::float8
    + extract(epoch from now() - date_trunc('hour', now())) * 1000)`;
  const hour = fragment<string>`date_trunc('hour', clock_timestamp())`;
  const [idempotency, commands, artifacts] = [
    await execute(
      sql,
      tables
        .selectFrom('idempotency')
        .select(count)
        .where('organization_id', '=', organizationId)
        .where('id', '>', firstKeptId(age)),
    ),
    await execute(
      sql,
      tables
        .selectFrom('done_commands')
        .select(count)
        .where('organization_id', '=', organizationId)
        .where('done_at', '>', fragment<string>`now() - ${age} * interval '1 ms'`),
    ),
    await execute(
      sql,
      tables
        .selectFrom('artifacts')
        .select(count)
        .where('organization_id', '=', organizationId)
        .where('expires_at', '>', fragment<string>`${hour} + interval '2 hours'`),
    ),
  ].map(([row]) => BigInt(row!.count));
  return { idempotency: idempotency!, done_commands: commands!, artifacts: artifacts! };
};
