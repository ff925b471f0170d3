/** Raw SQL inside a statement of the builder, typed by its result: `fragment<boolean>\`…\``. */
export { sql as fragment } from 'kysely';
export { byteaArray, doubleArray, intArray, textArray, uuidArray } from './binary-array.ts';
export { boundedRotation, rotationBounds } from './bounded-rotation.ts';
export { dailyPartitions, movingRotation } from './daily-partitions.ts';
export { type Database, openDatabase, type Sql, type Transaction } from './database.ts';
export { execute } from './execute.ts';
export { type MigrationList, migrate, sqlMigration } from './migrate.ts';
export { rotateDailyPartitions } from './rotate-daily-partitions.ts';
export { databaseSettings } from './settings.ts';
export { isLockTimeout, sqlState } from './sql-state.ts';
export { clockTimestamp, type RowsOf, tablesOf } from './tables.ts';
export { isoMicros, isoMillis } from './timestamp.ts';
export { greatestUuid, isUuid, leastUuid } from './uuid.ts';
export { firstUuidv7, firstUuidv7Sql, uuidv7, uuidv7Sql } from './uuidv7.ts';
