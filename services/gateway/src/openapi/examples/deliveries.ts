import { orderId } from './orders.ts';
import { endpointId } from './webhooks.ts';

export const deliveryId = '018f4eb2-60a1-7f0d-9b1e-2a3b4c5d6e7f';

export const delivery = {
  id: deliveryId,
  endpoint_id: endpointId,
  order_id: orderId,
  event: 'order.sealed',
  sequence: 42,
  state: 'DELIVERED',
  reason: null,
  replay_of: null,
  created_at: '2026-03-02T08:31:02.611Z',
  due_at: null,
  attempts: [{ at: '2026-03-02T08:31:02.640Z', status_code: 204, error: null, duration_ms: 118 }],
};
