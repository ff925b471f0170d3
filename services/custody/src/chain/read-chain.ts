import { type Given, overRows, type Sql, statement, type Transaction } from '@pto/database';
import type { OrderEvent } from '@pto/proto/orders/events/v1/order_event';
import { type Rows, tables } from '../schema/ledger-database.ts';
import { type EntryRow, entryColumns } from './entry-row.ts';
import { type Head, link } from './link.ts';

const selectEntries = statement((given: Given<{ orderId: string }>) =>
  tables
    .selectFrom('entries')
    .select(entryColumns)
    .where('order_id', '=', given.orderId)
    .orderBy('sequence'),
);

export const readEntries = (sql: Sql, orderId: string): Promise<EntryRow[]> =>
  selectEntries(sql, { orderId });

/** The head of a chain, and the organization of its order. */
export interface Chain extends Head {
  readonly organizationId: string;
}

const selectChains = statement((given: Given<{ orderIds: readonly string[] }>) =>
  tables
    .selectFrom('chains')
    .select(['order_id', 'organization_id', 'sequence', 'head_hash'])
    .where(({ eb, fn }) => eb('order_id', '=', fn.any(given.orderIds))),
);

/** Returns the existing chains of these orders, by order id. */
export const readChains = async (
  sql: Sql,
  orderIds: readonly string[],
): Promise<ReadonlyMap<string, Chain>> => {
  const rows = await selectChains(sql, { orderIds });
  return new Map(
    rows.map(({ order_id, organization_id: organizationId, sequence, head_hash: hash }) => [
      order_id,
      { organizationId, sequence, hash },
    ]),
  );
};

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
