import {
  type Given,
  isLockTimeout,
  lockName,
  statement,
  type Transaction,
  withSavepoint,
} from '@pto/database';
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
  tx: Transaction,
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

/**
 * Maximum milliseconds of one statement that waits for the lock. A longer wait takes several
 * statements, because the database client ends a statement after 7 s by default (`query_timeout`).
 */
const stepMs = 3000;

const waitForLock = async (tx: Transaction, name: string, waitMs: number): Promise<void> => {
  const end = performance.now() + waitMs;
  for (let restMs = waitMs; restMs > 0; restMs = Math.round(end - performance.now())) {
    const lockMs = Math.min(restMs, stepMs);
    const timedOut = await withSavepoint(
      tx,
      async () => {
        await setTimeouts(tx, { lock: `${lockMs}ms`, statement: `${lockMs + 1000}ms` });
        await lockName(tx, name);
      },
      isLockTimeout,
    );
    if (!timedOut) return;
  }
  throw inProgress();
};

/** The error of a request that does not wait longer for an earlier one with its key. */
export const inProgress = (): Failure =>
  new Failure('IDEMPOTENCY_IN_PROGRESS', 'The first request with this key still runs.', {
    retryAfterSeconds: 1,
  });
