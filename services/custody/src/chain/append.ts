import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import type { IncomingMessage, OutgoingMessage } from '@pto/bus';
import type { Transaction } from '@pto/database';
import type { Sign } from '@pto/message-authentication';
import { addToOutbox } from '@pto/outbox';
import { CustodyEventSchema } from '@pto/proto/custody/events/v1/custody_event';
import { type OrderEvent, OrderEventSchema } from '@pto/proto/orders/events/v1/order_event';
import { custodyEventsTopic } from '@pto/proto/topics';
import { queueForLog, refuseWhileHalted } from '../log/queue.ts';
import type { EntryRow } from './entry-row.ts';
import { emptyHead, type Head, link } from './link.ts';
import { storedEvents } from './stored-events.ts';

/**
 * Appends order events to their chains and announces the entries, all in the given transaction;
 * events that are entries already have no further effect. The caller has verified that the messages
 * are authentic (decision 55).
 * Chains are locked in the order of their ids, one statement for the whole batch.
 */
export const appendEvents = async (
  messages: readonly IncomingMessage[],
  tx: Transaction,
  sign: Sign,
): Promise<void> => {
  await refuseWhileHalted(tx);
  const received = messages.map((message) => {
    const event = fromBinary(OrderEventSchema, message.value);
    event.authentication = undefined; // it was for custody alone; `delete` would slow the encoder
    return { event, message };
  });
  const events = received.map(({ event }) => event);
  const heads = await lockHeads(tx, events);
  const stored = await storedEvents(tx, events, heads);
  const appended = received
    .filter(({ event }) => !stored.has(event))
    .map(({ event, message }) => {
      const entry = link(heads.get(event.orderId)!, event);
      heads.set(event.orderId, { sequence: entry.sequence, hash: entry.event_hash });
      return { event, entry, message };
    });
  if (appended.length === 0) return;
  await insertEntries(
    tx,
    appended.map(({ entry }) => entry),
  );
  await saveHeads(tx, heads);
  await queueForLog(
    tx,
    appended.map(({ entry }) => entry),
  );
  await addToOutbox(
    tx,
    appended.map((one) => sign(announcement(one))),
  );
};

const lockHeads = async (
  tx: Transaction,
  events: readonly OrderEvent[],
): Promise<Map<string, Head>> => {
  const organizations = new Map(events.map((event) => [event.orderId, event.organizationId]));
  const orderIds = [...organizations.keys()].sort();
  await tx.query(
    `insert into chains (order_id, organization_id, sequence, head_hash)
     select order_id, organization_id, 0, head_hash
     from unnest($1::uuid[], $2::uuid[], $3::text[]) as c (order_id, organization_id, head_hash)
     on conflict (order_id) do nothing`,
    [
      orderIds,
      orderIds.map((id) => organizations.get(id)),
      orderIds.map((id) => emptyHead(id).hash),
    ],
  );
  const rows = await tx.query<{ order_id: string; sequence: number; head_hash: string }>(
    `select order_id, sequence, head_hash from chains
     where order_id = any ($1) order by order_id for update`,
    [orderIds],
  );
  return new Map(
    rows.map((row) => [row.order_id, { sequence: row.sequence, hash: row.head_hash }]),
  );
};

const insertEntries = async (tx: Transaction, entries: readonly EntryRow[]): Promise<void> => {
  const column = (name: keyof EntryRow) => entries.map((entry) => entry[name]);
  await tx.query(
    `insert into entries (order_id, sequence, id, type, internal_type, ts_utc, gps_lat, gps_lng,
       payload, prev_event_hash, event_hash, canonical_text)
     select * from unnest($1::uuid[], $2::int[], $3::uuid[], $4::text[], $5::text[], $6::text[],
       $7::float8[], $8::float8[], $9::text[], $10::text[], $11::text[], $12::text[])`,
    [
      column('order_id'),
      column('sequence'),
      column('id'),
      column('type'),
      column('internal_type'),
      column('ts_utc'),
      column('gps_lat'),
      column('gps_lng'),
      column('payload'),
      column('prev_event_hash'),
      column('event_hash'),
      column('canonical_text'),
    ],
  );
};

const saveHeads = async (tx: Transaction, heads: ReadonlyMap<string, Head>): Promise<void> => {
  const all = [...heads];
  await tx.query(
    `update chains c set sequence = h.sequence, head_hash = h.head_hash
     from unnest($1::uuid[], $2::int[], $3::text[]) as h (order_id, sequence, head_hash)
     where c.order_id = h.order_id`,
    [all.map(([id]) => id), all.map(([, h]) => h.sequence), all.map(([, h]) => h.hash)],
  );
};

/** The custody event carries the order event's id: one thing that happened has one id. */
const announcement = (appended: {
  event: OrderEvent;
  entry: EntryRow;
  message: IncomingMessage;
}): OutgoingMessage => ({
  topic: custodyEventsTopic,
  key: appended.event.orderId,
  id: appended.event.id,
  type: appended.event.type,
  traceparent: appended.message.traceparent,
  requestId: appended.message.requestId,
  value: toBinary(
    CustodyEventSchema,
    create(CustodyEventSchema, {
      event: appended.event,
      sequence: appended.entry.sequence,
      eventHash: appended.entry.event_hash,
      prevEventHash: appended.entry.prev_event_hash,
    }),
  ),
});
