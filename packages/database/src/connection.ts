import type { Pool } from 'pg';
import { prepareRepeated } from './prepare-repeated.ts';

/** How every connection is made; the URL's own parameters (`sslmode` …) hold. */
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
    onPoolCreated: (pool: Pool) => pool.on('connect', prepareRepeated),
    connectionString: options.url,
    connectionTimeoutMillis: 3000,
    statement_timeout: options.statementTimeoutMs,
    lock_timeout: options.lockTimeoutMs,
    idle_in_transaction_session_timeout: 30_000,
    // a server that has gone silent without closing the connection is given up on
    query_timeout: options.statementTimeoutMs + 2000,
    keepAlive: true,
    // no statement here runs for so long that compiling it would pay
    options: Object.entries({ timezone: 'UTC', jit: 'off', ...options.session })
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(' '),
  },
});
