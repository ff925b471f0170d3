import { types } from 'node:util';
import { Failure, privateCause } from '@pto/errors';

/** PostgreSQL's five-character code of an error, or undefined for any other error. */
export const sqlState = (error: unknown): string | undefined => {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : undefined;
};

const aborted = new Set(['40001', '40P01']);

/** A migration has changed the result of a statement that this connection had prepared. */
export const isStalePlan = (error: unknown): boolean =>
  sqlState(error) === '0A000' &&
  (error as { routine?: string }).routine === 'RevalidateCachedQuery';

/**
 * A serialization failure, a deadlock or a stale plan: the transaction was undone and may be tried
 * again.
 */
export const mayBeRetried = (error: unknown): boolean =>
  aborted.has(sqlState(error) ?? '') || isStalePlan(error);

/** What a transaction is to its caller that was undone at each of its attempts. */
export const contention = (cause: unknown): Failure =>
  new Failure('SERVICE_UNAVAILABLE', 'Other requests change the same data right now.', {
    retryAfterSeconds: 1,
    cause,
  });

/**
 * Login rejected (28: the password is being changed), connection lost or refused (08, but not 08P01:
 * a text with NUL), no resources (53), shutting down (57P).
 */
const unavailable = /^(28|08(?!P01)|53|57P)/;

/**
 * The statement took too long (57014), or a lock did (55P03). The database works: the same statement
 * sent again would only add to its load.
 */
const tooSlow = new Set(['57014', '55P03']);

/** Whether a statement was given up because another transaction held its lock for too long. */
export const isLockTimeout = (error: unknown): boolean =>
  error instanceof Failure && sqlState(privateCause(error)) === '55P03';

/**
 * What a store's error means to a caller: SERVICE_UNAVAILABLE where the database is unavailable (a
 * killed postmaster gives a plain Error without any code), DEADLINE_EXCEEDED where it was reached and
 * took too long, else the error itself.
 */
export const storeFailure = (error: unknown): unknown => {
  const state = sqlState(error);
  if (error instanceof Failure || !types.isNativeError(error)) return error;
  const more = { retryAfterSeconds: 1, cause: error };
  if (state !== undefined && tooSlow.has(state))
    return new Failure('DEADLINE_EXCEEDED', 'This took too long.', more);
  const isUnavailable =
    state === undefined
      ? /ECONN|EPIPE|ETIMEDOUT|Connection terminated|timeout|not queryable/i.test(
          `${(error as NodeJS.ErrnoException).code ?? ''} ${error.message}`,
        )
      : unavailable.test(state);
  return isUnavailable
    ? new Failure('SERVICE_UNAVAILABLE', 'The service cannot reach its database right now.', more)
    : error;
};
