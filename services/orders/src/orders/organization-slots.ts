import { type ConcurrencyBounds, createConcurrencyLimit } from '@pto/concurrency';
import { Failure } from '@pto/errors';

/** Runs the work of an organization when it has a free slot, in the order of the calls. */
export type OrganizationSlots = <T>(
  organizationId: string,
  signal: AbortSignal,
  work: () => Promise<T>,
) => Promise<T>;

/**
 * Concurrency slots per organization, so that one organization's heavy calls take neither all
 * connections of the database pool nor the memory of the process from the others (decision 56).
 * @throws Failure RATE_LIMITED where too many calls wait, or a call waits too long.
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
