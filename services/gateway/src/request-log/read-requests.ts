import { listRequests, type RequestFilter } from '@pto/access';
import { createLimit } from '@pto/concurrency';
import type { Database } from '@pto/database';
import { Failure } from '@pto/errors';

/** Pages that a replica reads at once; the pool's other connections serve the look-up of keys. */
const readsMax = 4;
const waitingMax = 256;
const waitMs = 5000;

/** Returns the function that reads a page of an organization's requests. */
export const readRequests = (db: Database) => {
  const reads = createLimit({ perOwner: readsMax, waitingMax, waitMs });
  /** @throws Failure SERVICE_UNAVAILABLE */
  return (filter: RequestFilter, signal: AbortSignal) =>
    reads.run('all', signal, () => listRequests(db, filter), { rejected });
};

const rejected = () =>
  new Failure('SERVICE_UNAVAILABLE', 'Other reads of the log of requests still run.', {
    retryAfterSeconds: 1,
  });

export type ReadRequests = ReturnType<typeof readRequests>;
