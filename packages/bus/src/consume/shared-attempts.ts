import { createBatches } from '@pto/concurrency';
import type { IncomingMessage } from '../bus.ts';

type Batch = readonly IncomingMessage[];

/** The first attempt to handle a batch. */
interface Attempt {
  /** A settled promise: fulfilled after the commit, or rejected if the attempt failed. */
  readonly attempt: Promise<void>;
  /** Whether the attempt also handled batches of other partitions. */
  readonly isShared: boolean;
}

/** Maximum number of attempts at the same time. */
const inFlightMax = 2;
/** Maximum number of messages in one attempt. A larger batch is handled alone. */
const messagesMax = 200;

/**
 * Returns a function that handles a batch in one attempt with the batches of other partitions that
 * wait when the attempt starts. Reason: a transaction costs more than the effect of a message, and
 * a topic has many partitions with few messages each.
 */
export const sharedAttempts = (
  handle: (messages: Batch) => Promise<void>,
): ((batch: Batch) => Promise<Attempt>) =>
  createBatches(
    async (batches) => {
      const attempt = handle(batches.flat());
      await attempt.catch(() => {});
      return () => ({ attempt, isShared: batches.length > 1 });
    },
    {
      inFlightMax,
      batchMax: messagesMax,
      // no limit is needed: the caller has at most one batch of each partition
      waitingMax: Number.POSITIVE_INFINITY,
      weight: { of: (batch) => batch.length, max: messagesMax },
    },
  );
