import { contentDigest, type EventContent } from '@pto/custody-verifier';
import type { Transaction } from '@pto/database';

/**
 * Stores the digest of an event that orders produces, in the transaction of the event, and queues
 * the event as not yet reported by custody (decisions 53 and 55).
 */
export const recordProduced = async (tx: Transaction, content: EventContent): Promise<void> => {
  await tx.query(
    `with produced as (
       insert into produced_events (order_id, sequence, digest) values ($1, $2, $3)
       returning order_id, sequence, produced_at)
     insert into unreported_events (order_id, sequence, produced_at)
     select order_id, sequence, produced_at from produced`,
    [content.order_id, content.sequence, Buffer.from(contentDigest(content))],
  );
};
