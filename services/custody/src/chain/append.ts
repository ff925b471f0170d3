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
import { beginChains, lockHeads, saveHeads } from './heads.ts';
import { insertEntries } from './insert-entries.ts';
import { type Head, link } from './link.ts';
import { newChains } from './new-chains.ts';
import { storedEvents } from './stored-events.ts';

/**
 * Appends order events to their chains and announces the entries, all in the given transaction;
 * events that are entries already have no further effect. The caller has verified that the messages
 * are authentic (decision 55).
 * Chains are begun, then locked, in the order of their ids, one statement for the whole batch.
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
  const entries = await linkEntries(
    tx,
    received.map(({ event }) => event),
  );
  const appended = received.flatMap(({ event, message }) => {
    const entry = entries.get(event);
    return entry ? [{ event, entry, message }] : [];
  });
  if (appended.length === 0) return;
  const rows = appended.map(({ entry }) => entry);
  await insertEntries(tx, rows);
  await queueForLog(tx, rows);
  await addToOutbox(
    tx,
    appended.map((one) => sign(announcement(one))),
  );
};

/** Moves the heads of the events' chains. @returns the events' entries, without those stored before. */
const linkEntries = async (
  tx: Transaction,
  events: readonly OrderEvent[],
): Promise<ReadonlyMap<OrderEvent, EntryRow>> => {
  const candidates = newChains(events);
  const begun = await beginChains(tx, candidates);
  const entries = new Map(
    candidates.filter(({ orderId }) => begun.has(orderId)).flatMap((chain) => [...chain.entries]),
  );
  const others = events.filter(({ orderId }) => !begun.has(orderId));
  if (others.length === 0) return entries;
  const heads = await lockHeads(
    tx,
    new Map(others.map((event) => [event.orderId, event.organizationId])),
  );
  const stored = await storedEvents(tx, others, heads);
  const moved = new Map<string, Head>();
  for (const event of others) {
    if (stored.has(event)) continue;
    const entry = link(moved.get(event.orderId) ?? heads.get(event.orderId)!, event);
    entries.set(event, entry);
    moved.set(event.orderId, { sequence: entry.sequence, hash: entry.event_hash });
  }
  await saveHeads(tx, moved);
  return entries;
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
