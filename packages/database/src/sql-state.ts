import { types } from 'node:util';
import { Failure } from '@pto/errors';

/**
 * Returns an error's `code` if it has the form of an SQLSTATE: five characters, each a digit or a
 * capital letter, of which the first is not E. Returns undefined for other codes. Node's codes,
 * such as EPIPE, begin with E; no SQLSTATE does.
 */
export const sqlState = (error: unknown): string | undefined => {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && /^[0-9A-DF-Z][0-9A-Z]{4}$/.test(code) ? code : undefined;
};

const aborted = new Set(['40001', '40P01']);

/**
 * Whether a migration has changed the result type of a statement that this connection had prepared.
 */
export const isStalePlan = (error: unknown): boolean =>
  sqlState(error) === '0A000' &&
  (error as { routine?: string }).routine === 'RevalidateCachedQuery';

/**
 * Whether the error is a serialization failure, a deadlock or a stale plan. The transaction was
 * rolled back and may be retried.
 */
export const mayBeRetried = (error: unknown): boolean =>
  aborted.has(sqlState(error) ?? '') || isStalePlan(error);

/** Returns the Failure for a call that the database cannot serve now, but may serve later. */
export const databaseUnavailable = (
  cause: unknown,
  message = 'The service cannot reach its database right now.',
): Failure => new Failure('SERVICE_UNAVAILABLE', message, { retryAfterSeconds: 1, cause });

/**
 * SQLSTATEs of an unavailable database: login rejected (28: the password is being changed),
 * connection lost or rejected (08, but not 08P01: a text with NUL), no writes (25006: a demoted
 * primary, or one whose disk is full), session ended after an idle or long transaction (25P03,
 * 25P04), database missing (3D: it is being restored), no resources (53), shutting down (57P).
 */
const unavailable = /^(28|08(?!P01)|25006|25P0[34]|3D|53|57P)/;

/**
 * SQLSTATEs of a statement (57014) or a lock (55P03) that took too long. The database is available,
 * and sending the statement again would only add to its load.
 */
const tooSlow = new Set(['57014', '55P03']);

/** SQLSTATE of `require_not_held` (@pto/moves). */
const held = 'OH001';

/** Returns the failure of a change whose organization a move holds. @param cause of PostgreSQL, if any. */
export const organizationHeld = (cause?: unknown): Failure =>
  new Failure('ORGANIZATION_HELD', 'The organization is moved to another cell.', {
    retryAfterSeconds: 1,
    cause,
  });

/**
 * Converts an error of the store for the caller: SERVICE_UNAVAILABLE if the database is unavailable
 * (a killed postmaster causes an Error without a code), DEADLINE_EXCEEDED if the statement took too
 * long, ORGANIZATION_HELD if a move holds the organization, otherwise the error itself.
 */
export const storeFailure = (error: unknown): unknown => {
  const state = sqlState(error);
  if (error instanceof Failure || !types.isNativeError(error)) return error;
  if (state !== undefined && tooSlow.has(state))
    return new Failure('DEADLINE_EXCEEDED', 'This took too long.', {
      retryAfterSeconds: 1,
      cause: error,
    });
  if (state === held) return organizationHeld(error);
  const isUnavailable =
    state === undefined
      ? /ECONN|EPIPE|ETIMEDOUT|Connection terminated|timeout|not queryable/i.test(
          `${(error as NodeJS.ErrnoException).code ?? ''} ${error.message}`,
        )
      : unavailable.test(state);
  return isUnavailable ? databaseUnavailable(error) : error;
};
