/**
 * Raw SQL inside a statement of the query builder, typed by its result: `fragment<boolean>\`…\``.
 */
export { sql as fragment } from 'kysely';
export { type Database, openDatabase, type Sql, type Transaction } from './database.ts';
export { execute } from './execute.ts';
export { type MigrationList, migrate, sqlMigration } from './migrations/migrate.ts';
export { boundedRotation, rotationBounds } from './partitions/bounded-rotation.ts';
export { dailyPartitions, movingRotation } from './partitions/daily-partitions.ts';
export { rotateDailyPartitions } from './partitions/rotate-daily-partitions.ts';
export { databaseSettings } from './settings.ts';
export { isLockTimeout, sqlState } from './sql-state.ts';
export { clockTimestamp, type RowsOf, tablesOf } from './tables.ts';
export { byteaArray, doubleArray, intArray, textArray, uuidArray } from './values/binary-array.ts';
export { isoMicros, isoMillis } from './values/timestamp.ts';
export { greatestUuid, isUuid, leastUuid } from './values/uuid.ts';
export { firstUuidv7, firstUuidv7Sql, uuidv7, uuidv7Sql } from './values/uuidv7.ts';
