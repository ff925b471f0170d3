import {
  type ArrayOf,
  anyOf,
  fragment,
  type Given,
  statement,
  type Transaction,
} from '@pto/database';
import { tables } from '../schema/tables.ts';

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

const selectEndpoints = statement((given: Given<{ organizationIds: ArrayOf<string> }>) =>
  tables
    .selectFrom('endpoints')
    .select(({ and, eb, not, or, ref }) => [
      'id',
      'organization_id as organizationId',
      'event_filter as eventFilter',
      'generation',
      and([
        not(ref('disabled')),
        or([
          eb('status', '=', 'ENABLED'),
          and([
            eb('status', '=', 'PENDING_VERIFICATION'),
            fragment<boolean>`coalesce(${ref('verify_by')} > now(), false)`,
          ]),
        ]),
      ])
        .$castTo<boolean>()
        .as('open'),
    ])
    .where('organization_id', '=', anyOf(given.organizationIds, 'uuid'))
    .orderBy('id'),
);

/** Returns the endpoints of these organizations, in any status. */
export const endpointsOf = async (
  tx: Transaction,
  organizationIds: readonly string[],
): Promise<Subscriber[]> => selectEndpoints(tx, { organizationIds });

export const wants = (subscriber: Subscriber, event: string): boolean =>
  subscriber.open && (subscriber.eventFilter === null || subscriber.eventFilter.includes(event));
