import pg, { type Connection, type Pool, type PoolClient } from 'pg';

/** Settings that PostgreSQL reports to each session at its start, and after each change. */
const reported = new Set(['default_transaction_read_only', 'in_hot_standby']);

const readOnly = new WeakSet<object>();

/**
 * A connection that knows whether the database accepts its writes. A demoted primary does not, nor
 * does a server that its provider has made read-only because its disk is full.
 */
export class WatchedClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    const { connection } = this as unknown as { connection: Connection };
    const on = new Set<string>();
    connection.on('parameterStatus', ({ parameterName, parameterValue }) => {
      if (!reported.has(parameterName)) return;
      if (parameterValue === 'on') on.add(parameterName);
      else on.delete(parameterName);
      if (on.size > 0) readOnly.add(this);
      else readOnly.delete(this);
    });
  }
}

/**
 * Closes each read-only session when its user releases it, so that none stays in the pool: after the
 * database accepts writes again, every session does.
 */
export const discardReadOnly = (pool: Pool): void => {
  pool.on('release', (_error: unknown, client: PoolClient) => {
    if (readOnly.has(client)) void client.end();
  });
};
