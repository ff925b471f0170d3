import { contentDigest, type EventContent } from '@pto/custody-verifier';
import { byteaArray, intArray, type Sql, uuidArray } from '@pto/database';

/**
 * Stores the digests of events that orders produces, in the transaction of the events, and queues
 * the events as not yet reported by custody (decisions 53 and 55).
 */
export const recordProduced = async (tx: Sql, events: readonly EventContent[]): Promise<void> => {
  await tx.query(
    `with produced as (
       insert into produced_events (order_id, sequence, digest)
       select * from unnest($1::uuid[], $2::int[], $3::bytea[])
       returning order_id, sequence, produced_at)
     insert into unreported_events (order_id, sequence, produced_at)
     select order_id, sequence, produced_at from produced`,
    [
      uuidArray(events.map((event) => event.order_id)),
      intArray(events.map((event) => event.sequence)),
      byteaArray(events.map(contentDigest)),
    ],
  );
};
