import { fromBinary } from '@bufbuild/protobuf';
import type { IncomingMessage } from '@pto/bus';
import { insertAll, type Transaction } from '@pto/database';
import type { Sign } from '@pto/message-authentication';
import { addToOutbox } from '@pto/outbox';
import { type OrderEvent, OrderEventSchema } from '@pto/proto/orders/events/v1/order_event';
import { tables } from '../schema/ledger-database.ts';
import { announcement } from './announcement.ts';
import type { EntryRow } from './entry-row.ts';
import { lockHeads, saveHeads } from './heads.ts';
import { type Head, link } from './link.ts';
import { storedEvents } from './read-chain.ts';

const insertEntries = insertAll(tables, 'entries');
const queueForLog = insertAll(tables, 'log_queue');

/**
 * Appends order events to their chains and queues the custody events, in the given transaction. An
 * event that is an entry already has no further effect. The caller has verified that the messages
 * are authentic (decision 55). Each statement takes its chains in the order of their order ids.
 * @throws Error for an event that is not the next one of its chain.
 */
export const appendEvents = async (
  messages: readonly IncomingMessage[],
  tx: Transaction,
  sign: Sign,
): Promise<void> => {
  const received = messages.map((message) => ({
    event: fromBinary(OrderEventSchema, message.value),
    message,
  }));
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
  await insertEntries(tx.pipelined, rows);
  await queueForLog(
    tx.pipelined,
    rows.map(({ order_id, sequence, event_hash }) => ({ order_id, sequence, event_hash })),
  );
  await addToOutbox(
    tx,
    appended.map((one) => sign(announcement(one))),
  );
};

/**
 * Links the events to their chains and moves the chains' heads.
 * @returns the new entries by event, without events that were entries already.
 */
const linkEntries = async (
  tx: Transaction,
  events: readonly OrderEvent[],
): Promise<ReadonlyMap<OrderEvent, EntryRow>> => {
  const organizations = new Map(events.map((event) => [event.orderId, event.organizationId]));
  const heads = await lockHeads(tx, organizations);
  const stored = await storedEvents(tx, events, heads);
  const moved = new Map<string, Head>();
  const entries = new Map<OrderEvent, EntryRow>();
  for (const event of events) {
    if (stored.has(event)) continue;
    const { orderId } = event;
    const entry = link(moved.get(orderId) ?? heads.get(orderId)!, event);
    entries.set(event, entry);
    moved.set(orderId, { sequence: entry.sequence, hash: entry.event_hash });
  }
  await saveHeads(tx, moved);
  return entries;
};
