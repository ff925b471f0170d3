import { durationMs, integer, url } from '@pto/config';

/** What every service with a database declares. */
export const databaseSettings = {
  databaseUrl: url('DATABASE_URL', ['postgres', 'postgresql']),
  /** The owner's URL; when set, the service migrates its database as it starts. */
  migrationDatabaseUrl: url('MIGRATION_DATABASE_URL', ['postgres', 'postgresql'], { fallback: '' }),
  poolMax: integer('DATABASE_POOL_MAX', { fallback: 10, max: 200 }),
  statementTimeoutMs: durationMs('DATABASE_STATEMENT_TIMEOUT', { fallback: 5000 }),
  lockTimeoutMs: durationMs('DATABASE_LOCK_TIMEOUT', { fallback: 3000 }),
};
