import { ownersFunction, rotationFunctions } from './rotation-functions.ts';

/**
 * Statements for a migration: daily partitions (UTC) of tables that are partitioned by range of a
 * UUIDv7 column, and the function that creates the coming ones and drops old ones, but never one
 * with a row that is still to be worked on. The function runs with its owner's rights, so the
 * service's role needs none; it touches only the tables named here. A later migration that adds a
 * table names all of them again.
 * @param tables name → SQL condition of a row that must not be dropped (`false` for none).
 */
export const dailyPartitions = (tables: Readonly<Record<string, string>>): readonly string[] => [
  ...rotationFunctions('rotate_daily_partitions', tables),
  // the service's role was granted it by name; nobody else is to run it
  'revoke execute on function rotate_daily_partitions(text, int, int) from public',
  ...Object.keys(tables).flatMap((table) => [
    // rows of a day that nobody made a partition for are kept, not refused
    `create table if not exists ${table}_other partition of ${table} default`,
    `select rotate_daily_partitions('${table}', 7, 36500)`,
  ]),
];

/**
 * Statements for a migration behind `boundedRotation`: replaces the rotation without bounds by one
 * that moves rows out of the default partition, and reports a day that it cannot create instead of
 * failing. A database that was created after this change has it already; both end the same.
 * @param tables as for the last `dailyPartitions` of the database.
 */
export const movingRotation = (tables: Readonly<Record<string, string>>): readonly string[] => [
  ...rotationFunctions('rotate_any_daily_partitions', tables),
  ...ownersFunction('rotate_any_daily_partitions(text, int, int)'),
];
