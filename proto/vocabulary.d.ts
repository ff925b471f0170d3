/** Statuses of an order (contract 3.1), in the order of its life cycle. */
export declare const orderStatuses: readonly [
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
];

/** Service levels of an order (contract 2.1). */
export declare const slas: readonly ['STANDARD', 'EXPRESS', 'CRITICAL'];

/** Statuses of a webhook endpoint (contract 3.2). */
export declare const endpointStatuses: readonly ['PENDING_VERIFICATION', 'ENABLED', 'BROKEN'];

/** States of a webhook delivery (contract 3.3). */
export declare const deliveryStates: readonly ['PENDING', 'DELIVERED', 'EXHAUSTED'];

/** Names of webhook events (contract 6.1). */
export declare const eventNames: readonly [
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
];
