import { Counter, type Telemetry } from '@pto/telemetry';
import { startWorker } from '@pto/worker';
import type { Sql } from '../database.ts';

const everyMs = 3_600_000;
const daysAhead = 7;

/**
 * Creates the partitions of the coming days and drops old partitions, at the start and every hour.
 * If the rotation of a table fails, or a partition of a coming day is missing after it, this is
 * counted as a failure and logged; the other tables continue.
 * @param daysKept days to retain, by table.
 */
export const rotateDailyPartitions = (
  sql: Sql,
  daysKept: Readonly<Record<string, number>>,
  telemetry: Telemetry,
): { stop(): Promise<void> } => {
  const failures = new Counter({
    name: 'database_partition_rotation_failures_total',
    help: 'Rotations of a table after which a partition of the coming days was missing',
    labelNames: ['table'],
    registers: [telemetry.metrics],
  });
  for (const table of Object.keys(daysKept)) failures.inc({ table }, 0);
  return startWorker({
    tick: async () => {
      for (const [table, days] of Object.entries(daysKept)) {
        const missing = await rotateTable(sql, table, days).catch((err: unknown) => {
          telemetry.log.error({ err, table }, 'partitions were not rotated');
          return null;
        });
        if (missing === null || missing.length > 0) failures.inc({ table });
        if (missing && missing.length > 0)
          telemetry.log.error({ table, missing }, 'partitions could not be created');
      }
      return everyMs;
    },
    failed: () => everyMs,
  });
};

/**
 * Creates the partitions of the coming days and drops old ones. The statements are text because
 * they name no table of an entity: one calls a function of the migrations (daily-partitions.ts),
 * which runs with its owner's rights and takes the locks of `create table … partition of` and `drop
 * table`; one looks up a name in the catalog (`to_regclass`) for each day.
 * @returns the names of the partitions of today and the coming days that are still missing.
 */
const rotateTable = async (sql: Sql, table: string, days: number): Promise<string[]> => {
  await sql.query('select rotate_daily_partitions($1, $2, $3)', [table, daysAhead, days]);
  const rows = await sql.query<{ name: string }>(
    `select name from generate_series(0, $2::int) as n,
      lateral (select $1 || to_char((now() at time zone 'utc')::date + n, '_YYYYMMDD')) as p (name)
    where to_regclass(name) is null order by name`,
    [table, daysAhead],
  );
  return rows.map(({ name }) => name);
};
