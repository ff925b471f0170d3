/** Parts of Kysely from which statements are built. */
export {
  type Expression,
  /** Returns a builder of expressions over a query's tables, outside of that query. */
  expressionBuilder,
  /** Raw SQL inside a statement of the builder, typed by its result: `fragment<boolean>\`…\``. */
  sql as fragment,
} from 'kysely';
export { databaseSettings, withoutSequentialScans } from './connections/pool.ts';
export type { Database, Sql, Transaction } from './database.ts';
export { lockName } from './locks.ts';
export {
  longMigration,
  type MigrationList,
  migrate,
  shortMigration,
  sqlMigration,
} from './migrations/migrate.ts';
export { forOtherRoles } from './migrations/other-roles.ts';
export { openDatabase } from './open-database.ts';
export { boundedRotation, dailyPartitions } from './partitions/daily-partitions.ts';
export { rotateDailyPartitions } from './partitions/rotate-daily-partitions.ts';
export {
  type FreshReads,
  openFreshReads,
  primaryReads,
  replicaSetting,
} from './replica/fresh-reads.ts';
export { withSavepoint } from './savepoint.ts';
export { LostLock, type SessionLock, takeSessionLock } from './session-lock.ts';
export { databaseUnavailable, sqlState } from './sql-state.ts';
export {
  anyOf,
  bulkInsert,
  bulkStatement,
  execute,
  type Placeholders,
  type SentRow,
  statement,
  unnest,
} from './statements/statement.ts';
export {
  asynchronousCommit,
  clockTimestamp,
  insertFromArrays,
  type RowsOf,
  tablesOf,
} from './statements/tables.ts';
export {
  type ArrayOf,
  epochMillis,
  firstUuidv7,
  firstUuidv7Sql,
  greatestUuid,
  hyphenated,
  isoMillis,
  isUuid,
  keyHash,
  leastUuid,
  uuidArray,
  uuidv7,
  uuidv7Millis,
  uuidv7Sql,
} from './values.ts';
