/** Contract 3.1, in the order of an order's life. */
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
];

/** Contract 2.1. */
export const slas = ['STANDARD', 'EXPRESS', 'CRITICAL'];

/** Contract 3.2. */
export const endpointStatuses = ['PENDING_VERIFICATION', 'ENABLED', 'BROKEN'];

/** Contract 3.3. */
export const deliveryStates = ['PENDING', 'DELIVERED', 'EXHAUSTED'];

/** Contract 6.1. */
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
];
