import { Failure } from '@pto/errors';
import { createLimit, type NotStarted } from './limit.ts';

/**
 * Runs work for an organization in its slots. Waiting calls start in the order of arrival.
 * @param weight number of slots that the work takes; default 1.
 */
export type OrganizationSlots = <T>(
  organizationId: string,
  signal: AbortSignal,
  work: () => Promise<T>,
  weight?: number,
) => Promise<T>;

/**
 * Maximum number of waiting calls of one organization. The gateways admit fewer (decision 66), so
 * no partner meets this bound.
 */
const waitingMax = 1024;
/** The longest deadline of a call, in ms. The signal of a call ends its wait before. */
const waitMs = 30_000;

/**
 * Creates concurrency slots per organization, so that the calls of one organization cannot take all
 * database connections or the process's memory. With one slot, calls run one at a time.
 * @throws Failure DEADLINE_EXCEEDED if the signal is aborted while a call waits
 */
export const organizationSlots = (perOwner: number): OrganizationSlots => {
  const limit = createLimit({ perOwner, waitingMax, waitMs });
  const rejected = (reason: NotStarted) =>
    new Failure(
      reason === 'full' ? 'RATE_LIMITED' : 'DEADLINE_EXCEEDED',
      'Earlier requests of this organization still run.',
      { retryAfterSeconds: 1 },
    );
  return (organizationId, signal, work, weight) =>
    limit.run(organizationId, signal, work, { weight, rejected });
};
