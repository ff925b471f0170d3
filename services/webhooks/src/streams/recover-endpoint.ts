import {
  type Database,
  epochMillis,
  execute,
  firstUuidv7,
  fragment,
  type Transaction,
  uuidv7,
} from '@pto/database';
import { invalid } from '@pto/errors';
import { readClock } from '../database-clock.ts';
import { lockOpenEndpoint } from '../endpoints/find-endpoint.ts';
import { enqueue, type NewDelivery } from '../queue/enqueue.ts';
import { deliveryPayload } from '../queue/payload.ts';
import { type Endpoint, type EndpointKey, tables } from '../schema/entities.ts';
import { nextSequences } from './next-sequences.ts';
import { retryPending } from './retry-pending.ts';

/** Maximum number of events that one call queues, and of pending deliveries that it retries. */
const recoverMax = 1000;

export interface Recovered {
  readonly queued: number;
  /** Number of pending deliveries that became due. */
  readonly retried: number;
  /** The search covered the events of the span before this time. */
  readonly until: string;
  /** The `since` of the next call; empty if the span has no more events to queue. */
  readonly nextSince: string;
}

/**
 * Queues events of a time span again that were not delivered to the endpoint: at most `recoverMax`,
 * oldest first. If there are more, the next call continues at `nextSince`. The deliveries of these
 * events are EXHAUSTED, or the events never had a delivery. Events that are queued or in the
 * quarantine are left out, also events from before the endpoint's creation. The current event
 * filter applies. An event that had a delivery keeps its payload and its number in the stream. With
 * `includePending`, deliveries of the span that wait for a retry become due, under their ids
 * (decision 61).
 * @param span milliseconds since the epoch, `sinceMs` included, `untilMs` excluded; null: until
 *   now, by the database's clock. `orderId`: only events of this order; empty: of all.
 * @throws Failure VALIDATION if the span is empty, NOT_FOUND, ILLEGAL_TRANSITION if the endpoint is
 *   disabled.
 */
export const recoverEndpoint = (
  db: Database,
  key: EndpointKey,
  span: { sinceMs: number; untilMs: number | null; includePending: boolean; orderId: string },
): Promise<Recovered> =>
  db.transaction(async (tx) => {
    const now = Math.floor((await readClock(tx))());
    const { sinceMs, untilMs } = { ...span, untilMs: span.untilMs ?? now };
    if (sinceMs >= untilMs)
      throw invalid(['body', 'since'], 'must be before until', new Date(sinceMs).toISOString());
    // the lock serializes recoveries of one endpoint: the second finds the events already queued
    const endpoint = await lockOpenEndpoint(tx, key);
    const fromMs = Math.max(sinceMs, epochMillis(endpoint.created_at));
    const toMs = Math.min(untilMs, now); // `until` must not be a time that is still to come
    const { orderId } = span;
    const most = recoverMax + 1;
    const found = await missedEvents(tx, endpoint, { fromMs, untilMs: toMs, most, orderId });
    const next = found[recoverMax];
    const endMs = next ? epochMillis(next.created_at) : toMs;
    // up to the end of this page: the next one begins there, and retries nothing a second time
    const { retried, moreFromMs } = span.includePending
      ? await retryPending(tx, endpoint, { fromMs, untilMs: endMs, most: recoverMax, orderId })
      : { retried: 0, moreFromMs: null };
    const reachedMs = moreFromMs ?? endMs;
    const taken = found
      .slice(0, recoverMax)
      .filter(({ created_at }) => moreFromMs === null || epochMillis(created_at) < moreFromMs);
    await enqueue(tx, await asDeliveries(tx, endpoint, taken));
    const until = new Date(reachedMs).toISOString();
    const isComplete = !next && moreFromMs === null;
    return { queued: taken.length, retried, until, nextSince: isComplete ? '' : until };
  });

const asDeliveries = async (
  tx: Transaction,
  { id: endpointId, organization_id: organizationId, generation }: Endpoint,
  events: readonly Missed[],
): Promise<NewDelivery[]> => {
  const count = events.filter(({ sequence }) => sequence === null).length;
  const counts = count > 0 ? [{ organizationId, id: endpointId, count }] : [];
  let next = (await nextSequences(tx, counts)).get(endpointId) ?? 0;
  return events.map(({ body, created_at: _, payload, ...event }) => {
    const sequence = event.sequence === null ? next++ : Number(event.sequence);
    const bytes = payload ?? deliveryPayload(body, sequence);
    return { ...event, id: uuidv7(), endpointId, payload: bytes, sequence, generation };
  });
};

interface MissedSpan {
  readonly fromMs: number;
  readonly untilMs: number;
  readonly most: number;
  readonly orderId?: string;
}

/** An event that an endpoint missed, with its first delivery (`replayOf`) if there was one. */
export type Missed = Awaited<ReturnType<typeof missedEvents>>[number];

/**
 * Returns the events of a time span that the endpoint's filter selects and that are neither
 * delivered, queued nor in the quarantine. The oldest event is first.
 * @param most maximum number of events. @param orderId empty for all orders.
 */
export const missedEvents = (
  tx: Transaction,
  endpoint: Endpoint,
  { fromMs, untilMs, most, orderId = '' }: MissedSpan,
) =>
  execute(
    tx,
    missed(endpoint)
      .$if(orderId !== '', (events) => events.where('e.order_id', '=', orderId))
      .where('e.id', '>=', firstUuidv7(fromMs))
      .where('e.id', '<', firstUuidv7(untilMs))
      .orderBy('e.id')
      .limit(most),
  );

const missed = ({ id, organization_id: organizationId, event_filter: eventFilter }: Endpoint) =>
  tables
    .selectFrom('events as e')
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('deliveries as d')
          .select(['d.id', 'd.payload', 'd.sequence'])
          .where('d.organization_id', '=', organizationId)
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
            .where('d.organization_id', '=', organizationId)
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
            .where('r.organization_id', '=', organizationId)
            .whereRef('r.order_id', '=', 'e.order_id')
            .where('r.endpoint_id', '=', id)
            .whereRef('r.event_id', '=', 'e.event_id'),
        ),
      ),
    );
