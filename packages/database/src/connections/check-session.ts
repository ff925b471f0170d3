import { randomUUID } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import type { PoolOptions } from './pool.ts';

/**
 * Checks that connections have the `statement_timeout` that this process requests, and sessions of
 * their own. A connection pooler that ignores startup parameters, such as PgBouncer, removes the time
 * limits; one in transaction mode lets two replicas hold one session lock. The statements are text
 * because they read settings of the session, no table, on a pool that has no builder yet.
 * @throws Error naming what the pooler does and what to do.
 */
export const checkSession = async (
  pool: Pick<Pool, 'connect'>,
  { statementTimeoutMs, poolMax }: Pick<PoolOptions, 'statementTimeoutMs' | 'poolMax'>,
): Promise<void> => {
  const count = Math.min(poolMax, 2);
  const connecting = Array.from({ length: count }, () => pool.connect());
  const settled = await Promise.allSettled(connecting);
  // released also if another one failed: the pool waits for them when it ends
  const clients = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  try {
    await Promise.all(connecting);
    const text = "select setting from pg_settings where name = 'statement_timeout'";
    const { rows } = await clients[0]!.query<{ setting: string }>(text);
    const found = Number(rows[0]?.setting);
    if (found !== statementTimeoutMs)
      throw new Error(
        `statement_timeout is ${found} ms on connections that ask for ${statementTimeoutMs}: a connection pooler ` +
          `ignores startup parameters. ${instead}`,
      );
    if (await areShared(clients))
      throw new Error(
        `two connections share a session: a connection pooler runs in transaction mode. ${instead}`,
      );
  } finally {
    for (const client of clients) client.release();
  }
};

const instead = 'Connect to PostgreSQL itself, or run the pooler in session mode.';
/** A pooler that gives its server connections in turn may separate two clients a few times. */
const roundsOfSharing = 3;

/** Whether a connection sees what another has set for its session. */
const areShared = async (clients: readonly PoolClient[]): Promise<boolean> => {
  const tokens = clients.map(() => randomUUID());
  for (let n = 0; n < roundsOfSharing; n++) {
    for (const [at, client] of clients.entries())
      await client.query("select set_config('pto.session', $1, false)", [tokens[at]]);
    for (const [at, client] of clients.entries()) {
      const text = "select current_setting('pto.session', true) as token";
      const { rows } = await client.query<{ token: string | null }>(text);
      if (rows[0]?.token !== tokens[at]) return true;
    }
  }
  return false;
};
