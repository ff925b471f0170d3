import { execute, firstUuidv7, fragment, type Transaction } from '@pto/database';
import type { Endpoint } from '../schema/endpoint.ts';
import { tables } from '../schema/tables.ts';

/** An event that an endpoint missed, with its first delivery (`replayOf`) if there was one. */
export type Missed = Awaited<ReturnType<typeof missedEvents>>[number];

/**
 * Returns the events of a time span that the endpoint's filter selects and that are neither
 * delivered, queued nor in the quarantine. The oldest event is first.
 * @param most maximum number of events.
 */
export const missedEvents = (
  tx: Transaction,
  endpoint: Endpoint,
  { fromMs, untilMs, most }: { fromMs: number; untilMs: number; most: number },
) =>
  execute(
    tx,
    missed(endpoint)
      .where('e.id', '>=', firstUuidv7(fromMs))
      .where('e.id', '<', firstUuidv7(untilMs))
      .orderBy('e.id')
      .limit(most),
  );

const missed = ({ id, organizationId, eventFilter }: Endpoint) =>
  tables
    .selectFrom('events as e')
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('deliveries as d')
          .select(['d.id', 'd.payload', 'd.sequence'])
          .where('d.endpoint_id', '=', id)
          .whereRef('d.order_id', '=', 'e.order_id')
          .whereRef('d.event_id', '=', 'e.event_id')
          .orderBy('d.id')
          .limit(1)
          .as('first'),
      (join) => join.onTrue(),
    )
    .select(['e.organization_id as organizationId', 'e.order_id as orderId'])
    .select(['e.event_id as eventId', 'e.event', 'e.body', 'e.created_at'])
    .select(['first.id as replayOf', 'first.payload', 'first.sequence'])
    .where('e.organization_id', '=', organizationId)
    .$if(eventFilter != null, (events) =>
      events.where(({ eb, fn, val }) => eb('e.event', '=', fn.any(val(eventFilter!)))),
    )
    .where(({ exists, not, selectFrom }) =>
      not(
        exists(
          selectFrom('deliveries as d')
            .where('d.endpoint_id', '=', id)
            .whereRef('d.order_id', '=', 'e.order_id')
            .whereRef('d.event_id', '=', 'e.event_id')
            // a state other than EXHAUSTED: delivered or queued. The literal lets PostgreSQL use
            // the partial index
            .where('d.state', '<>', fragment.lit('EXHAUSTED')),
        ),
      ),
    )
    .where(({ exists, not, selectFrom }) =>
      not(
        exists(
          selectFrom('quarantined_deliveries as r')
            .whereRef('r.order_id', '=', 'e.order_id')
            .where('r.endpoint_id', '=', id)
            .whereRef('r.event_id', '=', 'e.event_id'),
        ),
      ),
    );
