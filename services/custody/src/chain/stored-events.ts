import { overRows, type Transaction } from '@pto/database';
import type { OrderEvent } from '@pto/proto/orders/events/v1/order_event';
import { type Rows, tables } from '../schema/ledger-database.ts';
import { type Head, link } from './link.ts';

const hashColumns = ['order_id', 'sequence', 'prev_event_hash', 'event_hash'] as const;

type Stored = Pick<Rows['entries'], (typeof hashColumns)[number]>;

const selectStored = overRows({ order_id: 'uuid', sequence: 'int' }, (rows) =>
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
