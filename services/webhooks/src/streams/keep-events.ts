import { fragment, insertRows, overRows, type Transaction, uuidv7Sql } from '@pto/database';
import { tables } from '../schema/entities.ts';

/** An event that is stored so that an endpoint can recover it. */
export interface KeptEvent {
  readonly organizationId: string;
  readonly orderId: string;
  readonly eventId: string;
  readonly event: string;
  /** The body of a delivery, without the number in the endpoint's stream. */
  readonly body: string;
}

const insert = overRows(
  { organizationId: 'uuid', orderId: 'uuid', eventId: 'uuid', event: 'text', body: 'text' },
  (rows) =>
    insertRows(tables, 'events', tables.selectFrom(rows('e')), ({ ref }) => ({
      id: uuidv7Sql(fragment<string>`now()`, fragment<number>`${ref('e.n')}::int - 1`),
      organization_id: ref('e.organizationId'),
      order_id: ref('e.orderId'),
      event_id: ref('e.eventId'),
      event: ref('e.event'),
      body: ref('e.body'),
    })),
);

/**
 * Stores events in the given order. The time in an event's id (UUIDv7) is that of its `created_at`.
 */
export const keepEvents = async (tx: Transaction, events: readonly KeptEvent[]): Promise<void> => {
  if (events.length > 0) await insert(tx.pipelined, events);
};
