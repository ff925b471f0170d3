import { discardReadOnly, sessionOptions, WatchedClient } from '@pto/database';
import { Client, Pool } from 'pg';
import { busUnavailable } from '../bus-unavailable.ts';
import type { LockSession } from '../shard-leases.ts';

const poolMax = 8;
const statementTimeoutMs = 5000;

const options = (url: string) => ({
  connectionString: url,
  connectionTimeoutMillis: 3000,
  statement_timeout: statementTimeoutMs,
  lock_timeout: 3000,
  query_timeout: statementTimeoutMs + 2000,
  idle_in_transaction_session_timeout: 30_000,
  keepAlive: true,
  options: sessionOptions(),
});

/** Runs parametrized statements on the bus's database. Each statement is its own transaction. */
export interface BusPool {
  /** Runs one statement. @throws Failure SERVICE_UNAVAILABLE for any error of the database. */
  query<Row>(text: string, parameters?: readonly unknown[]): Promise<Row[]>;
  /** Opens a connection outside of the pool, for session advisory locks. */
  lockSession(): Promise<LockSession>;
  close(): Promise<void>;
}

export const openBusPool = (url: string): BusPool => {
  const pool = new Pool({
    ...options(url),
    Client: WatchedClient,
    max: poolMax,
    idleTimeoutMillis: 30_000,
  });
  discardReadOnly(pool);
  pool.on('error', () => {}); // the pool has removed the broken connection; the next query gets another one
  return {
    query: async (text, parameters = []) => {
      try {
        return (await pool.query(text, [...parameters])).rows;
      } catch (error) {
        throw busUnavailable(error);
      }
    },
    lockSession: async () => {
      const client = new Client(options(url));
      client.on('error', () => {});
      await client.connect();
      return { client, close: () => client.end() };
    },
    close: () => pool.end(),
  };
};
