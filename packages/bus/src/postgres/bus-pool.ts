import { Client, Pool } from 'pg';
import { busUnavailable } from '../bus-unavailable.ts';
import type { LockSession } from '../shares.ts';

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
});

/** Parametrised statements on the bus's database; each is a transaction of its own. */
export interface BusPool {
  /** @throws SERVICE_UNAVAILABLE */
  query<Row>(text: string, parameters?: readonly unknown[]): Promise<Row[]>;
  /** A connection outside of the pool, to hold advisory locks. */
  lockSession(): Promise<LockSession>;
  close(): Promise<void>;
}

export const openBusPool = (url: string): BusPool => {
  const pool = new Pool({ ...options(url), max: poolMax, idleTimeoutMillis: 30_000 });
  pool.on('error', () => {}); // the pool has dropped that connection; its next user gets another
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
