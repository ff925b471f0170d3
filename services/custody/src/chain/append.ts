import { fromBinary } from '@bufbuild/protobuf';
import type { IncomingMessage } from '@pto/bus';
import { insertAll, type Transaction } from '@pto/database';
import type { Sign } from '@pto/message-authentication';
import { addToOutbox } from '@pto/outbox';
import { type OrderEvent, OrderEventSchema } from '@pto/proto/orders/events/v1/order_event';
import { tables } from '../schema/ledger-database.ts';
import { announcement } from './announcement.ts';
import type { EntryRow } from './entry-row.ts';
import { beginChains, lockHeads, saveHeads } from './heads.ts';
import { emptyHead, type Head, link } from './link.ts';
import { storedEvents } from './stored-events.ts';

const insertEntries = insertAll(tables, 'entries');
const queueForLog = insertAll(tables, 'log_queue');

/**
 * Appends order events to their chains and queues the custody events, in the given transaction. An
 * event that is an entry already has no further effect. The caller has verified that the messages
 * are authentic (decision 55). One statement creates all new chains. One statement locks all
 * other chains, three if one of them is missing. Each statement takes its chains in the order of
 * their order ids.
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

/** A new chain with the entries for the given events of its order. */
export interface NewChain {
  readonly orderId: string;
  readonly organizationId: string;
  /** The head after these entries. */
  readonly head: Head;
  /** One entry per event. */
  readonly entries: ReadonlyMap<OrderEvent, EntryRow>;
}

/**
 * Returns a new chain for each order whose given events are numbered 1, 2, 3 …: pure. Such an order
 * may have a chain in the database already, if the bus delivers these events again.
 */
export const newChains = (events: readonly OrderEvent[]): NewChain[] => {
  const chains: NewChain[] = [];
  for (const [orderId, ofOrder] of Map.groupBy(events, (event) => event.orderId)) {
    if (!ofOrder.every(({ sequence }, n) => sequence === n + 1)) continue;
    let head = emptyHead(orderId);
    const entries = new Map<OrderEvent, EntryRow>();
    for (const event of ofOrder) {
      const entry = link(head, event);
      entries.set(event, entry);
      head = { sequence: entry.sequence, hash: entry.event_hash };
    }
    chains.push({ orderId, organizationId: ofOrder[0]!.organizationId, head, entries });
  }
  return chains;
};
