import { type Given, isLockTimeout, lockName, type Sql, statement } from '@pto/database';
import { Failure } from '@pto/errors';
import { tables } from '../schema/orders-database.ts';
import { firstKeptId, type IdempotencyScope, keyName } from './scope.ts';

const tryLock = statement((given: Given<{ name: string }>) =>
  tables.selectNoFrom(({ fn, lit }) =>
    fn<boolean>('pg_try_advisory_xact_lock', [fn('hashtextextended', [given.name, lit(0)])]).as(
      'held',
    ),
  ),
);

const selectKey = statement(
  (given: Given<{ organizationId: string; route: string; key: string; keepMs: number }>) =>
    tables
      .selectFrom('idempotency')
      .select('id')
      .where('organization_id', '=', given.organizationId)
      .where('route', '=', given.route)
      .where('key', '=', given.key)
      .where('id', '>', firstKeptId(given.keepMs)),
);

/**
 * Locks the idempotency key until the end of this transaction. Waits up to `waitMs` if a concurrent
 * request has the lock.
 * @returns true if no response is stored under the key; false if another request with this key has
 *   committed its response.
 * @throws Failure IDEMPOTENCY_IN_PROGRESS if the lock is not free after `waitMs`.
 */
export const claimKey = async (
  tx: Sql,
  { organizationId, idempotency, keepMs }: IdempotencyScope,
  waitMs: number,
): Promise<boolean> => {
  const { route, key } = idempotency;
  const name = keyName({ organizationId, idempotency });
  const [tried] = await tryLock(tx, { name });
  if (!tried!.held) await waitForLock(tx, name, Math.max(waitMs, 1));
  // a separate statement sees the commit of the request that had the lock before
  const kept = await selectKey(tx, { organizationId, route, key, keepMs });
  return kept.length === 0;
};

const setTimeouts = statement((given: Given<{ lock: string; statement: string }>) =>
  tables.selectNoFrom(({ fn, lit, val }) => [
    fn('set_config', [val('lock_timeout'), given.lock, lit(true)]).as('lock'),
    fn('set_config', [val('statement_timeout'), given.statement, lit(true)]).as('statement'),
  ]),
);

const waitForLock = async (tx: Sql, name: string, waitMs: number): Promise<void> => {
  try {
    await setTimeouts(tx, { lock: `${waitMs}ms`, statement: `${waitMs + 1000}ms` });
    await lockName(tx, name);
  } catch (error) {
    if (!isLockTimeout(error)) throw error;
    throw new Failure('IDEMPOTENCY_IN_PROGRESS', 'The first request with this key still runs.', {
      retryAfterSeconds: 1,
    });
  }
};
