import {
  type ArrayOf,
  fragment,
  type Given,
  insertRows,
  statement,
  type Transaction,
  unnestNumbered,
  uuidv7Sql,
} from '@pto/database';
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

interface Events {
  readonly organization_id: ArrayOf<string>;
  readonly order_id: ArrayOf<string>;
  readonly event_id: ArrayOf<string>;
  readonly event: ArrayOf<string>;
  readonly body: ArrayOf<string>;
}

const types = {
  organization_id: 'uuid',
  order_id: 'uuid',
  event_id: 'uuid',
  event: 'text',
  body: 'text',
} as const;

const insert = statement((given: Given<Events>) =>
  insertRows(tables, 'events', tables.selectFrom(unnestNumbered('e', given, types)), ({ ref }) => ({
    id: uuidv7Sql(fragment<string>`now()`, fragment<number>`${ref('e.n')}::int - 1`),
    organization_id: ref('e.organization_id'),
    order_id: ref('e.order_id'),
    event_id: ref('e.event_id'),
    event: ref('e.event'),
    body: ref('e.body'),
  })),
);

/**
 * Stores events in the given order. The time in an event's id (UUIDv7) is that of its `created_at`.
 */
export const keepEvents = async (tx: Transaction, events: readonly KeptEvent[]): Promise<void> => {
  if (events.length === 0) return;
  const column = <K extends keyof KeptEvent>(name: K) => events.map((event) => event[name]);
  await insert(tx.pipelined, {
    organization_id: column('organizationId'),
    order_id: column('orderId'),
    event_id: column('eventId'),
    event: column('event'),
    body: column('body'),
  });
};
