import type { Pool, PoolClient } from 'pg';
import { sqlState } from '../sql-state.ts';

/** Time in which a pool whose new connection was refused opens no further one, in ms. */
const keptMs = 1000;

/**
 * SQLSTATEs with which PostgreSQL refuses a new connection while others of the process go on: the
 * password of the role is being replaced, and the process has the earlier one until it restarts; or
 * the role, the database or the server has no more connections.
 */
const refusals: readonly (string | undefined)[] = ['28P01', '53300'];

/**
 * Returns what takes a connection of the pool. If a new one is refused, a caller waits for one of
 * those that the process has, as it does when the pool is full.
 */
export const takingFrom = (pool: Pool): (() => Promise<PoolClient>) => {
  const { max } = pool.options;
  let timer: NodeJS.Timeout | undefined;
  let open = pool.totalCount;
  pool.on('connect', () => open++);
  pool.on('remove', () => open--);
  /** Without those that connect, which may be refused, too. */
  const keepSize = () => {
    clearTimeout(timer);
    pool.options.max = open;
    timer = setTimeout(() => {
      pool.options.max = max;
    }, keptMs).unref();
  };
  const take = async (): Promise<PoolClient> => {
    try {
      return await pool.connect();
    } catch (error) {
      if (!refusals.includes(sqlState(error)) || open === 0) throw error;
      keepSize();
      return take();
    }
  };
  return take;
};
