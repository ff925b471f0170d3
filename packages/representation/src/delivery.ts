import type { Attempt, Delivery, EndpointSummary } from '@pto/proto/webhooks/v1/webhooks';

/** Returns a delivery as partners see it (decision 80). */
export const deliveryJson = (of: Delivery) => ({
  id: of.id,
  endpoint_id: of.endpointId,
  endpoint_address: of.endpointAddress || null,
  endpoint_deleted_at: of.endpointDeletedAt || null,
  order_id: of.orderId,
  order_external_id: of.orderExternalId || null,
  event: of.event,
  sequence: of.sequence || null,
  state: of.state,
  reason: of.reason || null,
  replay_of: of.replayOf || null,
  created_at: of.createdAt,
  due_at: of.dueAt || null,
  attempts: of.attempts.map(attemptJson),
});

const attemptJson = (of: Attempt) => ({
  at: of.at,
  status_code: of.statusCode ?? null,
  error: of.error || null,
  duration_ms: of.durationMs,
  response_body: of.responseBody || null,
});

/** The lists of an order's deliveries, as an RPC returns them. */
interface OrderDeliveries {
  readonly deliveries: readonly Delivery[];
  readonly hasMore: boolean;
  readonly endpoints: readonly EndpointSummary[];
}

/** Returns the deliveries of an order as partners see them, with a summary for each endpoint. */
export const orderDeliveriesJson = ({ deliveries, hasMore, endpoints }: OrderDeliveries) => ({
  data: deliveries.map(deliveryJson),
  has_more: hasMore,
  endpoints: endpoints.map((of) => ({
    endpoint_id: of.endpointId,
    endpoint_address: of.endpointAddress,
    endpoint_deleted_at: of.endpointDeletedAt || null,
    endpoint_status: of.endpointStatus || null,
    endpoint_disabled: of.endpointDisabled,
    events: of.events,
    delivered: of.delivered,
    failed: of.failed,
    last_delivered_at: of.lastDeliveredAt || null,
    due_at: of.dueAt || null,
    last_failure: of.lastFailure ? attemptJson(of.lastFailure) : null,
  })),
});

const shortMax = 60;

/** Returns the first line of what a receiver answered, cut where it is long. */
export const firstLine = (body: string): string => {
  const [line = ''] = body.trimStart().split('\n');
  return line.length > shortMax ? `${[...line].slice(0, shortMax).join('')}…` : line;
};
