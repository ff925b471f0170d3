import { Failure } from '@pto/errors';

/**
 * Throws a Failure SERVICE_UNAVAILABLE, which callers retry, for an error of Kafka or of the bus's
 * database. Throws a Failure unchanged.
 */
export const busUnavailable = (error: unknown): never => {
  throw error instanceof Failure
    ? error
    : new Failure('SERVICE_UNAVAILABLE', 'The service cannot reach its message bus right now.', {
        retryAfterSeconds: 1,
        cause: error,
      });
};
