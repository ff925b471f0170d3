import { durationMs, integer, url } from '@pto/config';
import { Gauge, type Telemetry } from '@pto/telemetry';
import pg, { type Pool } from 'pg';
import { PooledConnection } from './pooled-connection.ts';

/**
 * PostgreSQL settings for the connections of a service whose tables grow fast. PostgreSQL plans a
 * sequential scan of a table that is small. A session keeps the plans of its statements and of its
 * foreign key checks until the table's next `analyze`, so such a plan would still scan the table
 * after it has grown.
 */
export const withoutSequentialScans = { enable_seqscan: 'off' } as const;

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

export interface PoolOptions {
  readonly url: string;
  readonly poolMax: number;
  readonly statementTimeoutMs: number;
  readonly lockTimeoutMs: number;
  /** PostgreSQL settings for every connection, such as `{ enable_hashjoin: 'off' }`. */
  readonly session?: Readonly<Record<string, string>>;
}

/**
 * Returns the options of every connection. The URL's own parameters (`sslmode` …) apply as well.
 */
export const connectionOptions = (options: Omit<PoolOptions, 'poolMax'>) => ({
  connectionString: options.url,
  connectionTimeoutMillis: 3000,
  statement_timeout: options.statementTimeoutMs,
  lock_timeout: options.lockTimeoutMs,
  idle_in_transaction_session_timeout: 30_000,
  // give up on a server that no longer responds but has not closed the connection
  query_timeout: options.statementTimeoutMs + 2000,
  keepAlive: true,
  // no statement runs long enough for JIT compilation to pay off
  options: sessionOptions({ jit: 'off', ...options.session }),
});

/** Types of which the driver returns PostgreSQL's text: date, timestamp, timestamptz, interval. */
const asText = [1082, 1114, 1184, 1186] as const;

/** Opens the pool of a service's connections. */
export const openPool = (options: PoolOptions): Pool => {
  const types = new pg.TypeOverrides();
  for (const type of asText) types.setTypeParser(type, (text) => text);
  const pool = new pg.Pool({
    ...connectionOptions(options),
    Client: PooledConnection,
    types,
    max: options.poolMax,
    idleTimeoutMillis: 30_000,
  });
  // the query that uses a lost connection rejects; without a listener the process would end
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
};

/** Exports how many connections are busy and idle, and how many callers wait for one. */
export const observePool = (pool: Pool, telemetry: Telemetry): void => {
  const gauge = new Gauge({
    name: 'database_pool_connections',
    help: 'Connections in use and idle, and callers waiting for one',
    labelNames: ['state'],
    registers: [telemetry.metrics],
    collect() {
      this.set({ state: 'busy' }, pool.totalCount - pool.idleCount);
      this.set({ state: 'idle' }, pool.idleCount);
      this.set({ state: 'waiting' }, pool.waitingCount);
    },
  });
  gauge.reset();
};

/**
 * Settings on which the statements and the texts of their results rest. A role, a database or the
 * server may have others (`alter role … set datestyle`).
 */
const pinned = {
  bytea_output: 'hex',
  datestyle: 'ISO, MDY',
  default_transaction_isolation: 'read committed',
  extra_float_digits: '1',
  intervalstyle: 'postgres',
  search_path: 'public',
  standard_conforming_strings: 'on',
  timezone: 'UTC',
} as const;

/**
 * The server ends the session of a process that did not close its connection, such as on a lost
 * node, within 11 s, and so releases its locks: by keepalive if the connection was idle, and by the
 * user timeout if sent data, such as a notification, is not acknowledged. Linux sends no keepalive
 * then, and would send the data again for a quarter of an hour.
 */
const endedWhenGone = {
  tcp_keepalives_idle: '5',
  tcp_keepalives_interval: '2',
  tcp_keepalives_count: '3',
  tcp_user_timeout: '11000',
} as const;

/**
 * Returns the startup parameter `options` of a session: the settings above and `more`. They
 * override the settings of role, database and server, without a round trip.
 */
export const sessionOptions = (more: Readonly<Record<string, string>> = {}): string =>
  Object.entries({ ...pinned, ...endedWhenGone, ...more })
    .map(([name, value]) => `-c ${name}=${value.replaceAll(/[\\ ]/g, String.raw`\$&`)}`)
    .join(' ');
