import { Gauge, type Telemetry } from '@pto/telemetry';
import type { Pool } from 'pg';
import { holdStatements } from './hold-statements.ts';
import { prepareRepeated } from './prepare-repeated.ts';
import { discardReadOnly, WatchedClient } from './read-only-sessions.ts';
import { sessionOptions } from './session-settings.ts';

/**
 * PostgreSQL settings for the connections of a service whose tables grow fast. PostgreSQL plans a
 * sequential scan of a table that is small. A session keeps the plans of its statements and of its
 * foreign key checks until the table's next `analyze`, so such a plan would still scan the table
 * after it has grown.
 */
export const withoutSequentialScans = { enable_seqscan: 'off' } as const;

/**
 * Returns the options of every connection. The URL's own parameters (`sslmode` …) apply as well.
 */
export const connectionOptions = (options: {
  url: string;
  poolMax: number;
  statementTimeoutMs: number;
  lockTimeoutMs: number;
  session?: Readonly<Record<string, string>>;
}) => ({
  clientUrl: options.url,
  pool: { min: 0, max: options.poolMax, idleTimeoutMillis: 30_000 },
  driverOptions: {
    onPoolCreated: (pool: Pool) => {
      pool.on('connect', (client) => {
        holdStatements(client);
        prepareRepeated(client); // calls the above
      });
      discardReadOnly(pool);
    },
    Client: WatchedClient,
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
  },
});

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
