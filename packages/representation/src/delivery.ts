import type { Delivery } from '@pto/proto/webhooks/v1/webhooks';

/** Returns a delivery as partners see it (decision 80). */
export const deliveryJson = (of: Delivery) => ({
  id: of.id,
  endpoint_id: of.endpointId,
  endpoint_address: of.endpointAddress || null,
  endpoint_deleted_at: of.endpointDeletedAt || null,
  order_id: of.orderId,
  event: of.event,
  sequence: of.sequence || null,
  state: of.state,
  reason: of.reason || null,
  replay_of: of.replayOf || null,
  created_at: of.createdAt,
  due_at: of.dueAt || null,
  attempts: of.attempts.map((attempt) => ({
    at: attempt.at,
    status_code: attempt.statusCode ?? null,
    error: attempt.error || null,
    duration_ms: attempt.durationMs,
  })),
});
