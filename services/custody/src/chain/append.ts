import { fromBinary } from '@bufbuild/protobuf';
import type { IncomingMessage } from '@pto/bus';
import { commitmentIn } from '@pto/custody-verifier';
import { bulkInsert, type Sql, statement, type Transaction } from '@pto/database';
import { Failure } from '@pto/errors';
import type { Sign } from '@pto/message-authentication';
import { addToOutbox } from '@pto/outbox';
import { type OrderEvent, OrderEventSchema } from '@pto/proto/orders/events/v1/order_event';
import { payloadField } from '@pto/proto/payload-fields';
import { tables } from '../schema/ledger-database.ts';
import { announcement, emptyHead, link } from './entry.ts';
import { beginChains, lockHeads, saveHeads, storedEvents } from './heads.ts';
import type { EntryRow, Head } from './read-chain.ts';

const insertEntries = bulkInsert(tables, 'entries');
const queueForLog = bulkInsert(tables, 'log_queue');

/**
 * Appends order events to their chains and queues the custody events, in the given transaction. An
 * event that is an entry already has no further effect. The caller has verified that the messages
 * are authentic (decision 55). One statement creates all new chains. One statement locks all
 * other chains, three if one of them is missing. Each statement takes its chains in the order of
 * their order ids.
 * @throws Error for an event that is not the next one of its chain, or has an undeclared field.
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
  await insertEntries(
    tx.pipelined,
    appended.map(({ entry, event: { order } }) => ({
      ...entry,
      external_id: order?.externalId ?? null,
      order_status: order?.status ?? null,
      order_updated_at: order?.updatedAt ?? null,
    })),
  );
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
 * Links the events to their chains and moves the chains' heads. An order whose events are numbered
 * 1, 2, 3 … gets a new chain, unless it has one because the bus delivers these events again.
 * @returns the new entries by event, without events that were entries already.
 */
const linkEntries = async (
  tx: Transaction,
  events: readonly OrderEvent[],
): Promise<ReadonlyMap<OrderEvent, EntryRow>> => {
  const orders = Map.groupBy(events, ({ orderId }) => orderId);
  const organizations = new Map(events.map((event) => [event.orderId, event.organizationId]));
  const linked = new Map<string, Linked>();
  for (const [orderId, of] of orders)
    if (of.every(({ sequence }, n) => sequence === n + 1))
      linked.set(orderId, linkAll(emptyHead(orderId), of));
  const begun = await beginChains(tx, headsOf(linked), organizations);
  const others = [...orders.keys()].filter((orderId) => !begun.has(orderId));
  if (others.length > 0) {
    const heads = await lockHeads(tx, others, organizations);
    const again = others.flatMap((orderId) => orders.get(orderId)!);
    const stored = await storedEvents(tx, again, heads);
    const moved = new Map<string, Linked>();
    for (const orderId of others) {
      const added = orders.get(orderId)!.filter((event) => !stored.has(event));
      linked.delete(orderId);
      if (added.length > 0) moved.set(orderId, linkAll(heads.get(orderId)!, added));
    }
    await saveHeads(tx, headsOf(moved));
    for (const [orderId, entries] of moved) linked.set(orderId, entries);
  }
  return new Map([...linked.values()].flatMap(({ entries }) => [...entries]));
};

/** New entries of one order by event, and the head after them. */
interface Linked {
  readonly head: Head;
  readonly entries: ReadonlyMap<OrderEvent, EntryRow>;
}

const linkAll = (from: Head, events: readonly OrderEvent[]): Linked => {
  let head = from;
  const entries = new Map<OrderEvent, EntryRow>();
  for (const event of events) {
    rejectUndeclaredFields(event);
    const entry = link(head, event);
    entries.set(event, entry);
    head = { sequence: entry.sequence, hash: entry.event_hash };
  }
  return { head, entries };
};

const headsOf = (linked: ReadonlyMap<string, Linked>): Map<string, Head> =>
  new Map([...linked].map(([orderId, { head }]) => [orderId, head]));

const readHalted = statement(() =>
  tables.selectFrom('log_state').select('halted').where('halted', 'is not', null),
);

/**
 * Rejects appends to a ledger that contradicts a signed checkpoint. Events wait on the bus, in
 * order.
 * @throws Failure SERVICE_UNAVAILABLE, which does not park the event.
 */
export const rejectWhileHalted = async (sql: Sql): Promise<void> => {
  const [state] = await readHalted(sql);
  if (state)
    throw new Failure('SERVICE_UNAVAILABLE', 'The ledger is halted.', { cause: state.halted });
};

/**
 * Rejects an event that would put personal data into the ledger: each field of its payload is
 * declared, a personal one is a commitment or null, and an open one is none (decision 70).
 * @throws Error, which parks the event.
 */
export const rejectUndeclaredFields = ({ internalType, payloadJson }: OrderEvent): void => {
  if (payloadJson === '') return;
  const payload: Record<string, unknown> = JSON.parse(payloadJson);
  for (const field of Object.keys(payload)) {
    const declared = payloadField(internalType, field);
    const name = `${internalType}.${field}`;
    if (declared === undefined) throw new Error(`${name} is not declared in payload-fields.ts`);
    const isCommitment = commitmentIn(payload, field) !== null;
    if (declared === 'personal' && !isCommitment && payload[field] !== null)
      throw new Error(`${name} is personal, and not a commitment`);
    if (declared === 'open' && isCommitment)
      throw new Error(`${name} is open, and looks like a commitment`);
  }
};
