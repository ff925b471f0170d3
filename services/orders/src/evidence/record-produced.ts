import { contentDigest, type EventContent } from '@pto/custody-verifier';
import { insertRows, overRows, type Transaction } from '@pto/database';
import { tables } from '../schema/orders-database.ts';

const insert = overRows({ order_id: 'uuid', sequence: 'int', digest: 'bytea' }, (rows) =>
  insertRows(
    tables.with('produced', (db) =>
      insertRows(db, 'produced_events', db.selectFrom(rows('e')), ({ ref }) => ({
        order_id: ref('e.order_id'),
        sequence: ref('e.sequence'),
        digest: ref('e.digest'),
      })).returning(['order_id', 'sequence', 'produced_at']),
    ),
    'unreported_events',
    ({ selectFrom }) => selectFrom('produced'),
    ({ ref }) => ({
      order_id: ref('order_id'),
      sequence: ref('sequence'),
      produced_at: ref('produced_at'),
    }),
  ),
);

/**
 * Stores the digests of events that orders produces, in the transaction of the events, and queues
 * the events as not yet reported by custody (decisions 53 and 55).
 */
export const recordProduced = async (
  tx: Transaction,
  events: readonly EventContent[],
): Promise<void> => {
  const rows = events.map((event) => ({
    order_id: event.order_id,
    sequence: event.sequence,
    digest: contentDigest(event),
  }));
  await insert(tx.pipelined, rows);
};
