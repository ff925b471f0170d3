/** Statuses of an order (contract 3.1), in the order of its life cycle. */
export const orderStatuses = [
  'DRAFT',
  'SUBMITTED',
  'ASSIGNED',
  'ACCEPTED',
  'DRIVER_ASSIGNED',
  'PICKUP_STARTED',
  'SEALED',
  'IN_TRANSIT',
  'DELIVERED',
  'CLOSED',
  'CANCELLED',
] as const;

/** Service levels of an order (contract 2.1). */
export const slas = ['STANDARD', 'EXPRESS', 'CRITICAL'] as const;

/** Statuses of a webhook endpoint (contract 3.2). */
export const endpointStatuses = ['PENDING_VERIFICATION', 'ENABLED', 'BROKEN'] as const;

/** States of a webhook delivery (contract 3.3). */
export const deliveryStates = ['PENDING', 'DELIVERED', 'EXHAUSTED'] as const;

/** Names of webhook events (contract 6.1). */
export const eventNames = [
  'order.submitted',
  'order.assigned',
  'order.accepted',
  'order.driver_assigned',
  'order.pickup_started',
  'order.sealed',
  'order.in_transit',
  'order.delivered',
  'order.closed',
  'order.cancelled',
  'order.updated',
  'order.incident_reported',
  'order.escalated',
  'order.test',
] as const;
