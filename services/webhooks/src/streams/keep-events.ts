import { type Transaction, uuidv7 } from '@pto/database';

/** An event as it is kept for those who could not get it when it happened. */
export interface KeptEvent {
  readonly organizationId: string;
  readonly orderId: string;
  readonly eventId: string;
  readonly event: string;
  /** The body of a delivery, but for its number in the endpoint's stream. */
  readonly body: string;
}

/** Keeps events in the given order. */
export const keepEvents = async (tx: Transaction, events: readonly KeptEvent[]): Promise<void> => {
  if (events.length === 0) return;
  const column = <K extends keyof KeptEvent>(name: K) => events.map((event) => event[name]);
  await tx.query(
    `insert into events (id, organization_id, order_id, event_id, event, body)
     select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::text[])`,
    [
      events.map(() => uuidv7()),
      column('organizationId'),
      column('orderId'),
      column('eventId'),
      column('event'),
      column('body'),
    ],
  );
};
