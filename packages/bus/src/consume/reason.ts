import { sqlState } from '@pto/database';
import { Failure, toFailure } from '@pto/errors';
import { scrub } from '@pto/telemetry';

const reasonMax = 500;

/** Why a message was parked, for people: the public half of the failure only. */
export const publicReason = (error: unknown): string => {
  const { kind, message } = toFailure(error);
  return scrub(`${kind}: ${message}`).slice(0, reasonMax);
};

/** Lock not got in time, serialization failure, deadlock. */
const contended = new Set(['55P03', '40001', '40P01']);

/** Whether the world, not the message, is at fault: a store or the network is away, or busy. */
export const passes = (error: unknown): boolean =>
  error instanceof Failure ? error.retryable : contended.has(sqlState(error) ?? '');

/** A failure that passes, in place of any error that is not a Failure. */
export const storeAway = (error: unknown): Failure =>
  error instanceof Failure
    ? error
    : new Failure('SERVICE_UNAVAILABLE', 'The service cannot reach its database right now.', {
        retryAfterSeconds: 1,
        cause: error,
      });
