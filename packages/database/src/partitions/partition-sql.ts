import type { Sql } from '../sql.ts';

/**
 * Creates the partitions of the coming days and drops old ones. The statement is text because it
 * names no table of an entity: it calls a function of the migrations (rotation-functions.ts), which
 * runs with its owner's rights. That function takes the locks of `create table … partition of` and
 * `drop table`.
 */
export const rotatePartitions = async (
  sql: Sql,
  table: string,
  daysAhead: number,
  days: number,
): Promise<void> => {
  await sql.query('select rotate_daily_partitions($1, $2, $3)', [table, daysAhead, days]);
};

/**
 * Returns the names of the missing partitions among those of today and the coming days. The
 * statement is text because it reads the catalog: one look-up by name (`to_regclass`) for each day.
 */
export const missingPartitions = async (
  sql: Sql,
  table: string,
  daysAhead: number,
): Promise<string[]> => {
  const rows = await sql.query<{ name: string }>(
    `select name from generate_series(0, $2::int) as n,
      lateral (select $1 || to_char((now() at time zone 'utc')::date + n, '_YYYYMMDD')) as p (name)
    where to_regclass(name) is null order by name`,
    [table, daysAhead],
  );
  return rows.map(({ name }) => name);
};
