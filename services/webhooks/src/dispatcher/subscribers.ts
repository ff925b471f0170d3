import type { Transaction } from '@pto/database';

export interface Subscriber {
  readonly id: string;
  readonly organizationId: string;
  /** Null: all events. */
  readonly eventFilter: readonly string[] | null;
  readonly epoch: number;
}

/** The endpoints of these organisations that events are queued for now. */
export const subscribersOf = async (
  tx: Transaction,
  organizationIds: readonly string[],
): Promise<Subscriber[]> =>
  tx.query<Subscriber>(
    `select id, organization_id as "organizationId", event_filter as "eventFilter", epoch
     from endpoints
     where organization_id = any ($1::uuid[]) and status = 'ENABLED' and not disabled
     order by id`,
    [organizationIds],
  );

export const wants = (subscriber: Subscriber, event: string): boolean =>
  subscriber.eventFilter === null || subscriber.eventFilter.includes(event);
