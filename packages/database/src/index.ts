/** Parts of Kysely from which statements are built. */
export {
  type Expression,
  /** Returns a builder of expressions over a query's tables, outside of that query. */
  expressionBuilder,
  /** Raw SQL inside a statement of the builder, typed by its result: `fragment<boolean>\`…\``. */
  sql as fragment,
} from 'kysely';
export {
  discardReadOnly,
  sessionOptions,
  WatchedClient,
  withoutSequentialScans,
} from './connections/connection.ts';
export type { Database, Sql, Transaction } from './database.ts';
export { lockName } from './locks.ts';
export { type MigrationList, migrate, sqlMigration } from './migrations/migrate.ts';
export { openDatabase } from './open-database.ts';
export { boundedRotation, dailyPartitions } from './partitions/daily-partitions.ts';
export { rotateDailyPartitions } from './partitions/rotate-daily-partitions.ts';
export { withSavepoint } from './savepoint.ts';
export { databaseSettings } from './settings.ts';
export { sqlState } from './sql-state.ts';
export { insertAll, insertRows } from './statements/inserts.ts';
export { anyOf, overRows, type SentRow, unnest } from './statements/over-rows.ts';
export { execute, type Given, statement } from './statements/statement.ts';
export { asynchronousCommit, clockTimestamp, type RowsOf, tablesOf } from './statements/tables.ts';
export {
  type ArrayOf,
  byteaArray,
  textArray,
  uuidArray,
} from './values/binary-array.ts';
export { epochMillis, isoMillis } from './values/timestamp.ts';
export {
  firstUuidv7,
  firstUuidv7Sql,
  greatestUuid,
  isUuid,
  leastUuid,
  uuidv7,
  uuidv7Sql,
} from './values/uuid.ts';
