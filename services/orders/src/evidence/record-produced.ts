import { contentDigest, type EventContent } from '@pto/custody-verifier';
import {
  type ArrayOf,
  byteaArray,
  type Given,
  insertRows,
  intArray,
  statement,
  type Transaction,
  unnest,
  uuidArray,
} from '@pto/database';
import { tables } from '../schema/tables.ts';

interface Produced {
  readonly order_id: ArrayOf<string>;
  readonly sequence: ArrayOf<number>;
  readonly digest: ArrayOf<Uint8Array>;
}

const types = { order_id: 'uuid', sequence: 'int', digest: 'bytea' } as const;

const insert = statement((given: Given<Produced>) =>
  insertRows(
    tables.with('produced', (db) =>
      insertRows(db, 'produced_events', db.selectFrom(unnest('e', given, types)), ({ ref }) => ({
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
  await insert(tx.pipelined, {
    order_id: uuidArray(events.map((event) => event.order_id)),
    sequence: intArray(events.map((event) => event.sequence)),
    digest: byteaArray(events.map(contentDigest)),
  });
};
