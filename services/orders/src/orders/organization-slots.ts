import { type ConcurrencyBounds, createConcurrencyLimit } from '@pto/concurrency';
import { Failure } from '@pto/errors';

/**
 * Runs work for an organization in one of its slots. Waiting calls start in the order of arrival.
 */
export type OrganizationSlots = <T>(
  organizationId: string,
  signal: AbortSignal,
  work: () => Promise<T>,
) => Promise<T>;

/**
 * Creates concurrency slots per organization, so that the heavy calls of one organization cannot
 * take all database connections or the process's memory (decision 56).
 * @throws Failure RATE_LIMITED if too many calls wait, or a call waits too long.
 */
export const organizationSlots = (bounds: ConcurrencyBounds): OrganizationSlots => {
  const limit = createConcurrencyLimit(bounds);
  return async (organizationId, signal, work) => {
    const release = await limit.acquire(organizationId, signal);
    if (!release)
      throw new Failure('RATE_LIMITED', 'Too many requests of this organization run at once.', {
        retryAfterSeconds: 1,
      });
    try {
      return await work();
    } finally {
      release();
    }
  };
};
