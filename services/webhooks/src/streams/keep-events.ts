import { type Transaction, uuidv7Sql } from '@pto/database';

/** An event that is stored so that an endpoint can recover it. */
export interface KeptEvent {
  readonly organizationId: string;
  readonly orderId: string;
  readonly eventId: string;
  readonly event: string;
  /** The body of a delivery, without the number in the endpoint's stream. */
  readonly body: string;
}

/** Stores events in the given order. The time in their ids (UUIDv7) is that of `created_at`. */
export const keepEvents = async (tx: Transaction, events: readonly KeptEvent[]): Promise<void> => {
  if (events.length === 0) return;
  const column = <K extends keyof KeptEvent>(name: K) => events.map((event) => event[name]);
  await tx.query(
    `insert into events (id, organization_id, order_id, event_id, event, body)
     select ${uuidv7Sql('now()', 'n::int - 1')}, organization_id, order_id, event_id, event, body
     from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[]) with ordinality
       as kept (organization_id, order_id, event_id, event, body, n)`,
    [
      column('organizationId'),
      column('orderId'),
      column('eventId'),
      column('event'),
      column('body'),
    ],
  );
};
