import { fromBinary } from '@bufbuild/protobuf';
import type { IncomingMessage } from '@pto/bus';
import { contentDigest, type EventContent } from '@pto/custody-verifier';
import { insertAll, overRows, type Sql, type Transaction } from '@pto/database';
import { CustodyEventSchema } from '@pto/proto/custody/events/v1/custody_event';
import { tables } from './schema/tables.ts';

const record = overRows({ order_id: 'uuid', sequence: 'int', hash: 'text' }, (rows) =>
  tables
    .with(
      (cte) => cte('reported').materialized(),
      (db) =>
        db
          .selectFrom(rows('r'))
          .distinctOn('r.order_id')
          .select(['r.order_id', 'r.sequence', 'r.hash'])
          .orderBy('r.order_id')
          .orderBy('r.sequence', 'desc'),
    )
    .with('head', (db) =>
      db
        .updateTable('orders as o')
        .from('reported as r')
        .set(({ ref }) => ({
          custody_sequence: ref('r.sequence'),
          custody_head_hash: ref('r.hash'),
        }))
        .whereRef('o.id', '=', 'r.order_id')
        .whereRef('o.custody_sequence', '<', 'r.sequence'),
    )
    .deleteFrom('unreported_events as u')
    .using('reported as r')
    .whereRef('u.order_id', '=', 'r.order_id')
    .whereRef('u.sequence', '<=', 'r.sequence'),
);

/**
 * Stores the number and hash of the heads of orders that custody reports, as evidence outside of
 * the ledger's own database (decision 32). A number that is not higher than the stored one does not
 * change the stored head. Removes the events up to the reported number from the table
 * `unreported_events`.
 */
export const recordHeads = async (
  sql: Sql,
  messages: readonly IncomingMessage[],
): Promise<void> => {
  const heads = messages.map(({ value }) => fromBinary(CustodyEventSchema, value));
  const rows = heads.map(({ event, sequence, eventHash }) => ({
    order_id: event!.orderId,
    sequence,
    hash: eventHash,
  }));
  await record(sql, rows);
};

const insertProduced = insertAll(tables, 'produced_events');
const insertUnreported = insertAll(tables, 'unreported_events');

/**
 * Stores the digests of events that orders produces, in the transaction of the events, and queues
 * the events as not yet reported by custody (decisions 53 and 55).
 */
export const recordProduced = async (
  tx: Transaction,
  events: readonly EventContent[],
): Promise<void> => {
  const rows = events.map(({ order_id, sequence }) => ({ order_id, sequence }));
  await insertProduced(
    tx.pipelined,
    events.map((event, n) => ({ ...rows[n]!, digest: contentDigest(event) })),
  );
  await insertUnreported(tx.pipelined, rows);
};
