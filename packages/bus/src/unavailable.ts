import { Failure } from '@pto/errors';

/**
 * Returns a function for `catch` that throws a Failure SERVICE_UNAVAILABLE, which callers retry, for
 * an error of Kafka or of a database. A Failure is thrown unchanged.
 */
export const unavailable =
  (store: 'message bus' | 'database') =>
  (error: unknown): never => {
    throw error instanceof Failure
      ? error
      : new Failure('SERVICE_UNAVAILABLE', `The service cannot reach its ${store} right now.`, {
          retryAfterSeconds: 1,
          cause: error,
        });
  };
