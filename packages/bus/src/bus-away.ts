import { Failure } from '@pto/errors';

/** Any error of Kafka or of the bus's database as the refusal that callers know how to retry. */
export const busAway = (error: unknown): Failure =>
  error instanceof Failure
    ? error
    : new Failure('SERVICE_UNAVAILABLE', 'The service cannot reach its message bus right now.', {
        retryAfterSeconds: 1,
        cause: error,
      });
