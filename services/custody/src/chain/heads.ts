/**
 * Reads and moves the heads of chains in one transaction, and finds events that are entries already.
 * Chains are locked in the order of their ids.
 */
import {
  type ArrayOf,
  anyOf,
  bulkInsert,
  bulkStatement,
  type Placeholders,
  statement,
  type Transaction,
  uuidArray,
} from '@pto/database';
import type { OrderEvent } from '@pto/proto/orders/events/v1/order_event';
import { type Rows, tables } from '../schema/ledger-database.ts';
import { emptyHead, link } from './entry.ts';
import type { Head } from './read-chain.ts';

const insertChains = bulkInsert(tables, 'chains', (insert) =>
  insert.onConflict((conflict) => conflict.column('order_id').doNothing()).returning('order_id'),
);

const selectLocked = statement((given: Placeholders<{ orderIds: ArrayOf<string> }>) =>
  tables
    .selectFrom('chains')
    .select(['order_id', 'sequence', 'head_hash'])
    .where('order_id', '=', anyOf(given.orderIds))
    .orderBy('order_id')
    .forUpdate(),
);

const updateHeads = bulkStatement(
  { order_id: 'uuid', sequence: 'int', head_hash: 'text' },
  (rows) =>
    tables
      .updateTable('chains as c')
      .from(rows('h'))
      .set(({ ref }) => ({ sequence: ref('h.sequence'), head_hash: ref('h.head_hash') }))
      .whereRef('c.order_id', '=', 'h.order_id'),
);

/**
 * Creates chains, each with the head that it will have at the end of this transaction. This costs
 * one row version per new chain instead of three (empty, locked, moved). Chains that exist already
 * are not changed.
 * @param heads @param organizations the heads and the orders' organization ids, by order id.
 * @returns the ids of the orders whose chains were created.
 */
export const beginChains = async (
  tx: Transaction,
  heads: ReadonlyMap<string, Head>,
  organizations: ReadonlyMap<string, string>,
): Promise<ReadonlySet<string>> => {
  const rows = await insertChains(
    tx,
    [...heads.keys()].sort().map((orderId) => ({
      order_id: orderId,
      organization_id: organizations.get(orderId)!,
      sequence: heads.get(orderId)!.sequence,
      head_hash: heads.get(orderId)!.hash,
    })),
  );
  return new Set(rows.map((row) => row.order_id));
};

/**
 * Locks chains and returns their heads, by order id. A missing chain is created without an entry
 * before it is locked: the insert waits for a concurrent transaction that creates the same chain.
 * @param organizations the orders' organization ids, by order id.
 */
export const lockHeads = async (
  tx: Transaction,
  orderIds: readonly string[],
  organizations: ReadonlyMap<string, string>,
): Promise<Map<string, Head>> => {
  const found = await lockExisting(tx, orderIds);
  const missing = orderIds.filter((orderId) => !found.has(orderId));
  if (missing.length === 0) return found;
  const empty = new Map(missing.map((orderId) => [orderId, emptyHead(orderId)]));
  await beginChains(tx, empty, organizations);
  return lockExisting(tx, orderIds);
};

const lockExisting = async (
  tx: Transaction,
  orderIds: readonly string[],
): Promise<Map<string, Head>> => {
  const rows = await selectLocked(tx, { orderIds: uuidArray(orderIds) });
  return new Map(
    rows.map((row) => [row.order_id, { sequence: row.sequence, hash: row.head_hash }]),
  );
};

export const saveHeads = async (
  tx: Transaction,
  heads: ReadonlyMap<string, Head>,
): Promise<void> => {
  if (heads.size === 0) return;
  const rows = [...heads].map(([order_id, { sequence, hash }]) => ({
    order_id,
    sequence,
    head_hash: hash,
  }));
  await updateHeads(tx.pipelined, rows);
};

const hashColumns = ['order_id', 'sequence', 'prev_event_hash', 'event_hash'] as const;

type Stored = Pick<Rows['entries'], (typeof hashColumns)[number]>;

const selectStored = bulkStatement({ order_id: 'uuid', sequence: 'int' }, (rows) =>
  tables
    .selectFrom('entries')
    .select(hashColumns)
    .where(({ eb, refTuple, selectFrom }) =>
      eb(
        refTuple('order_id', 'sequence'),
        'in',
        selectFrom(rows('g')).select(['g.order_id', 'g.sequence']).$asTuple('order_id', 'sequence'),
      ),
    ),
);

/**
 * Returns those of the events that are entries already. The bus may deliver an event again after
 * the inbox has dropped its id; later events must not wait behind such an event. An event that
 * differs from the stored entry of its number is not returned; linking it then fails.
 * @param heads locked heads of the chains of all these events, by order id.
 */
export const storedEvents = async (
  tx: Transaction,
  events: readonly OrderEvent[],
  heads: ReadonlyMap<string, Head>,
): Promise<ReadonlySet<OrderEvent>> => {
  const behind = events.filter(({ orderId, sequence }) => sequence <= heads.get(orderId)!.sequence);
  if (behind.length === 0) return new Set();
  const rows = await selectStored(
    tx,
    behind.map(({ orderId, sequence }) => ({ order_id: orderId, sequence })),
  );
  const places = new Map(rows.map((row) => [`${row.order_id} ${row.sequence}`, row]));
  return new Set(
    behind.filter((event) => isEntryOf(places.get(`${event.orderId} ${event.sequence}`), event)),
  );
};

const isEntryOf = (stored: Stored | undefined, event: OrderEvent): boolean => {
  if (!stored) return false;
  const before = { sequence: event.sequence - 1, hash: stored.prev_event_hash };
  return link(before, event).event_hash === stored.event_hash;
};
