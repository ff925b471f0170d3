import type { Transaction } from '@pto/database';

export interface Subscriber {
  readonly id: string;
  readonly organizationId: string;
  /** Names of the events that the endpoint receives; null: all events. */
  readonly eventFilter: readonly string[] | null;
  readonly generation: number;
  /**
   * Whether events are queued for the endpoint now: it is not disabled, and either ENABLED or
   * within the deadline for the verification of a changed URL.
   */
  readonly open: boolean;
}

/** Returns the endpoints of these organizations, in any status. */
export const endpointsOf = async (
  tx: Transaction,
  organizationIds: readonly string[],
): Promise<Subscriber[]> =>
  tx.query<Subscriber>(
    `select id, organization_id as "organizationId", event_filter as "eventFilter",
       epoch as generation, not disabled and (status = 'ENABLED'
         or status = 'PENDING_VERIFICATION' and coalesce(verify_by > now(), false)) as open
     from endpoints where organization_id = any ($1::uuid[]) order by id`,
    [organizationIds],
  );

export const wants = (subscriber: Subscriber, event: string): boolean =>
  subscriber.open && (subscriber.eventFilter === null || subscriber.eventFilter.includes(event));
