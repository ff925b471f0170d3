import { fragment, isUuid, type Sql } from '@pto/database';
import { tables } from '../schema/entities.ts';
import { deliveryMessages, storedDeliveries } from './get-delivery.ts';
import { deliveriesOfOrder, summarizeOrder } from './summarize-order.ts';

const last = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

export interface DeliveryFilter {
  readonly organizationId: string;
  readonly endpointId: string;
  /** PENDING, DELIVERED or EXHAUSTED; empty for all states. */
  readonly state: string;
  /** An event name of contract 6.1; empty for all events. */
  readonly event?: string;
  /** Id of an order; empty for all orders. */
  readonly orderId?: string;
  /** Id of a delivery: the page has only deliveries with smaller ids. Empty for the first page. */
  readonly beforeId: string;
  readonly limit?: number;
}

/**
 * Returns a page of an endpoint's deliveries, newest first, and `nextId`: the `beforeId` of the
 * next page, empty on the last page. The filters by state and event use indexes that are sorted
 * newest first. A filter by order reads all deliveries of the order to this endpoint, which are
 * few.
 */
export const listDeliveries = async (sql: Sql, filter: DeliveryFilter) => {
  const { organizationId, endpointId, state, event = '', orderId = '', limit = 50 } = filter;
  const before = filter.beforeId || last;
  if (![organizationId, endpointId, before, orderId || last].every(isUuid))
    return { deliveries: [], nextId: '' };
  const within = { organizationId, endpointId, before, event, orderId, limit: limit + 1 };
  const [first, ...rest] = stretches(state, within).map((stretch) =>
    tables.selectFrom(stretch.as('s')).selectAll('s'),
  );
  const deliveries = rest.reduce((all, stretch) => all.unionAll(stretch), first!);
  const found = await deliveryMessages(sql, organizationId, deliveries, within.limit);
  const page = found.slice(0, limit);
  return { deliveries: page, nextId: found.length > limit ? page.at(-1)!.id : '' };
};

/** Maximum number of deliveries in a list of an order's deliveries. */
const ofOrderMax = 1000;

/**
 * Returns the deliveries of an order to all endpoints of its organization, the deleted ones
 * included, oldest first, whether there are more, and a summary for each endpoint.
 */
export const listOrderDeliveries = async (
  sql: Sql,
  order: { readonly orderId: string; readonly organizationId: string },
) => {
  const { orderId, organizationId } = order;
  if (![orderId, organizationId].every(isUuid))
    return { deliveries: [], hasMore: false, endpoints: [] };
  const most = ofOrderMax + 1;
  const ofOrder = deliveriesOfOrder(organizationId, orderId, most);
  const found = await deliveryMessages(sql, organizationId, ofOrder, most, 'last');
  return {
    deliveries: found.slice(0, ofOrderMax).reverse(),
    hasMore: found.length > ofOrderMax,
    endpoints: await summarizeOrder(sql, order),
  };
};

interface Within {
  readonly organizationId: string;
  readonly endpointId: string;
  /** Id of a delivery: the page has only deliveries with smaller ids. */
  readonly before: string;
  readonly event: string;
  readonly orderId: string;
  readonly limit: number;
}

/**
 * Returns queries that together select the deliveries of a state; each reads one index, newest
 * first. The states are literals: with a parameter a generic plan would not use the partial
 * indexes.
 */
const stretches = (state: string, within: Within) => {
  const { organizationId, endpointId, before, event, orderId, limit } = within;
  const filtered = storedDeliveries
    .where('d.organization_id', '=', organizationId)
    .$if(event !== '', (stored) => stored.where('d.event', '=', event))
    .$if(orderId !== '', (stored) => stored.where('d.order_id', '=', orderId))
    .limit(limit);
  const history = filtered
    .where('d.endpoint_id', '=', endpointId)
    .where('d.id', '<', before)
    .orderBy('d.id', 'desc');
  const exhausted = history.where('d.state', '=', fragment.lit('EXHAUSTED'));
  const open = history.where('d.state', '<>', fragment.lit('EXHAUSTED'));
  switch (state) {
    case 'PENDING':
      return [
        filtered
          .innerJoin('pending_deliveries as q', (join) =>
            join
              .onRef('q.organization_id', '=', 'd.organization_id')
              .onRef('q.delivery_id', '=', 'd.id'),
          )
          .where('q.organization_id', '=', organizationId)
          .where('q.endpoint_id', '=', endpointId)
          .where('q.delivery_id', '<', before)
          .orderBy('q.delivery_id', 'desc'),
      ];
    case 'DELIVERED':
      return [
        open.where(({ exists, not, selectFrom }) =>
          not(
            exists(
              selectFrom('pending_deliveries as q')
                .whereRef('q.organization_id', '=', 'd.organization_id')
                .whereRef('q.delivery_id', '=', 'd.id'),
            ),
          ),
        ),
      ];
    case 'EXHAUSTED':
      return [exhausted];
    default:
      return [open, exhausted];
  }
};
