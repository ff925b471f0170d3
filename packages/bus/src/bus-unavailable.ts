import { Failure } from '@pto/errors';

/**
 * Converts an error of Kafka or of the bus's database to a Failure SERVICE_UNAVAILABLE, which
 * callers retry. A Failure is returned unchanged.
 */
export const busUnavailable = (error: unknown): Failure =>
  error instanceof Failure
    ? error
    : new Failure('SERVICE_UNAVAILABLE', 'The service cannot reach its message bus right now.', {
        retryAfterSeconds: 1,
        cause: error,
      });
