/** Parts of Kysely from which statements are built. */
export {
  type Expression,
  /** Returns a builder of expressions over a query's tables, outside of that query. */
  expressionBuilder,
  /** Raw SQL inside a statement of the builder, typed by its result: `fragment<boolean>\`…\``. */
  sql as fragment,
} from 'kysely';
export { withoutSequentialScans } from './connections/connection.ts';
export { discardReadOnly, WatchedClient } from './connections/read-only-sessions.ts';
export { sessionOptions } from './connections/session-settings.ts';
export type { Database, Sql, Transaction } from './database.ts';
export { lockName, lockTable } from './locks.ts';
export { type MigrationList, migrate, sqlMigration } from './migrations/migrate.ts';
export { openDatabase } from './open-database.ts';
export { boundedRotation } from './partitions/bounded-rotation.ts';
export { dailyPartitions } from './partitions/daily-partitions.ts';
export { rotateDailyPartitions } from './partitions/rotate-daily-partitions.ts';
export { withSavepoint } from './savepoint.ts';
export { databaseSettings } from './settings.ts';
export { isLockTimeout, sqlState } from './sql-state.ts';
export { execute } from './statements/execute.ts';
export { insertAll } from './statements/insert-all.ts';
export { insertRows } from './statements/insert-rows.ts';
export { overRows, type SentRow } from './statements/over-rows.ts';
export { type Given, type Statement, statement } from './statements/statement.ts';
export { asynchronousCommit, clockTimestamp, type RowsOf, tablesOf } from './statements/tables.ts';
export { anyOf, unnest, unnestNumbered } from './statements/unnest.ts';
export {
  type ArrayOf,
  byteaArray,
  doubleArray,
  intArray,
  textArray,
  uuidArray,
} from './values/binary-array.ts';
export { isoMicros, isoMillis } from './values/timestamp.ts';
export { greatestUuid, isUuid, leastUuid } from './values/uuid.ts';
export { firstUuidv7, firstUuidv7Sql, uuidv7, uuidv7Sql } from './values/uuidv7.ts';
