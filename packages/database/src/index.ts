export { boundedRotation } from './bounded-rotation.ts';
export { dailyPartitions, rotateDailyPartitions } from './daily-partitions.ts';
export { type Database, openDatabase, type Sql, type Transaction } from './database.ts';
export { type MigrationList, migrate, sqlMigration } from './migrate.ts';
export { databaseSettings } from './settings.ts';
export { isLockTimeout, sqlState } from './sql-state.ts';
export { isoMicros, isoMillis } from './timestamp.ts';
export { greatestUuid, isUuid, leastUuid } from './uuid.ts';
export { firstUuidv7, firstUuidv7Sql, uuidv7, uuidv7Sql } from './uuidv7.ts';
