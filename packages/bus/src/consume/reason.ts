import { sqlState } from '@pto/database';
import { Failure, privateCause } from '@pto/errors';
import { scrub } from '@pto/telemetry';

const reasonMax = 500;

/**
 * Returns why a message was parked, as text for operators: the kind and public message of a
 * Failure, the code and constraint of a database error, otherwise the scrubbed message of the
 * error.
 */
export const publicReason = (error: unknown): string =>
  scrub(inWords(error instanceof Failure ? (internalCause(error) ?? error) : error)).slice(
    0,
    reasonMax,
  );

const internalCause = (failure: Failure): unknown =>
  failure.kind === 'INTERNAL' ? privateCause(failure) : undefined;

const inWords = (error: unknown): string => {
  if (error instanceof Failure) return `${error.kind}: ${error.message}`;
  const state = sqlState(error);
  if (state === undefined)
    return `The handler failed: ${error instanceof Error ? error.message : String(error)}`;
  const { constraint } = error as { constraint?: string };
  const rule = constraint === undefined ? '' : `, constraint ${constraint}`;
  return `The database rejected the effect: SQLSTATE ${state}${rule}`;
};

/** SQLSTATEs of a lock timeout, a serialization failure and a deadlock. */
const contended = new Set(['55P03', '40001', '40P01']);

/** Whether a store or the network caused the error, and not the message. */
export const passes = (error: unknown): boolean =>
  error instanceof Failure ? error.retryable : contended.has(sqlState(error) ?? '');

/**
 * Converts an error that is not a Failure to a Failure SERVICE_UNAVAILABLE, which callers retry.
 */
export const storeUnavailable = (error: unknown): Failure =>
  error instanceof Failure
    ? error
    : new Failure('SERVICE_UNAVAILABLE', 'The service cannot reach its database right now.', {
        retryAfterSeconds: 1,
        cause: error,
      });
