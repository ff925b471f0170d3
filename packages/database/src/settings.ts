import { durationMs, integer, url } from '@pto/config';

/** Settings of every service with a database. */
export const databaseSettings = {
  databaseUrl: url('DATABASE_URL', ['postgres', 'postgresql']),
  /**
   * URL of the service's database with the role that owns it. If set, the service migrates its
   * database when it starts.
   */
  migrationDatabaseUrl: url('MIGRATION_DATABASE_URL', ['postgres', 'postgresql'], { fallback: '' }),
  poolMax: integer('DATABASE_POOL_MAX', { fallback: 10, max: 200 }),
  statementTimeoutMs: durationMs('DATABASE_STATEMENT_TIMEOUT', { fallback: 5000 }),
  lockTimeoutMs: durationMs('DATABASE_LOCK_TIMEOUT', { fallback: 3000 }),
};
