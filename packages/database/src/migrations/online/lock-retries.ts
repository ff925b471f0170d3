import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientBase } from 'pg';
import { sqlState } from '../../sql-state.ts';

/** Other statements queue behind a statement that waits for a table's lock, so it waits briefly. */
const lockTimeoutMs = 300;
const pauseMs = 1000;
const triesMs = 60_000;

/**
 * Runs work whose statements wait at most 0.3 s for a lock, and repeats it each second for a minute
 * if they do not get the lock.
 * @param work may run several times: it is rolled back, or has had no effect, when it throws.
 */
export const withLockRetries = async <T>(
  client: ClientBase,
  work: () => Promise<T>,
): Promise<T> => {
  const begun = performance.now();
  await client.query(`set lock_timeout = ${lockTimeoutMs}`);
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const isLocked = ['55P03', '40P01'].includes(sqlState(error) ?? '');
      if (!isLocked || performance.now() - begun > triesMs) throw error;
      await sleep(pauseMs);
    }
  }
};
