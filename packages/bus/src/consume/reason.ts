import { sqlState } from '@pto/database';
import { Failure, privateCause } from '@pto/errors';
import { scrub } from '@pto/telemetry';

const reasonMax = 500;

/**
 * Why a message was parked, in words for operators: of a Failure its kind and public message, of the
 * database its code and the constraint, else the error's message, scrubbed.
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

/** Lock not got in time, serialization failure, deadlock. */
const contended = new Set(['55P03', '40001', '40P01']);

/** Returns whether a store or the network, not the message, caused the error. */
export const passes = (error: unknown): boolean =>
  error instanceof Failure ? error.retryable : contended.has(sqlState(error) ?? '');

/** Converts an error that is not a Failure to a failure that can be retried. */
export const storeUnavailable = (error: unknown): Failure =>
  error instanceof Failure
    ? error
    : new Failure('SERVICE_UNAVAILABLE', 'The service cannot reach its database right now.', {
        retryAfterSeconds: 1,
        cause: error,
      });
