import { rotationFunctions } from './rotation-functions.ts';

/**
 * Returns statements for a migration: daily partitions (UTC) of tables that are partitioned by
 * range of a UUIDv7 column, and a function that creates the partitions of the coming days and drops
 * old partitions. The function never drops a partition with a row that is still needed. It runs
 * with its owner's rights, so the service's role needs no right to change the schema, and it
 * changes only the tables named here. A later migration that adds a table must name all tables
 * again.
 * @param tables name → SQL condition of a row that must not be dropped (`false` for none).
 */
export const dailyPartitions = (tables: Readonly<Record<string, string>>): readonly string[] => [
  ...rotationFunctions('rotate_daily_partitions', tables),
  // the service's role has its own grant; no other role may call the function
  'revoke execute on function rotate_daily_partitions(text, int, int) from public',
  ...Object.keys(tables).flatMap((table) => [
    // the default partition stores rows of a day that has no partition
    `create table if not exists ${table}_other partition of ${table} default`,
    `select rotate_daily_partitions('${table}', 7, 36500)`,
  ]),
];
