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
export type OrderStatus = (typeof orderStatuses)[number];

/** Statuses in which the transport has the goods. */
export const custodyStatuses = ['PICKUP_STARTED', 'SEALED', 'IN_TRANSIT'] as const;

/** Service levels of an order (contract 2.1). */
export const slas = ['STANDARD', 'EXPRESS', 'CRITICAL'] as const;

/** The occasions of a handover (decision 71); evidence can be required at each. */
export const handoverStages = ['pickup', 'transfer', 'dropoff', 'return'] as const;

/** How a handover was confirmed (decision 71); `code` is that of the ward's link (decision 86). */
export const handoverMethods = ['signature', 'pin', 'scan', 'photo', 'id_checked', 'code'] as const;

/** The evidence that an order can require: a method, or the signature of a driver's device. */
export const evidenceMethods = [...handoverMethods, 'device_signature'] as const;

/** Roles of the parties of a handover. */
export const partyRoles = ['shipper', 'carrier', 'courier', 'consignee', 'other'] as const;

/** Kinds of incidents that an operator reports (decision 88). */
export const incidentKinds = [
  'damage',
  'delay',
  'temperature',
  'seal',
  'access',
  'accident',
  'other',
] as const;

/** How the expected time of an order's next stop was found (decision 87). */
export const etaSources = ['estimate', 'driver', 'router'] as const;

/** Severities of incidents (decision 88). */
export const severities = ['low', 'medium', 'high'] as const;

/** Media types of a handover's artifact. */
export const handoverArtifactTypes = ['image/png', 'image/jpeg', 'application/pdf'] as const;

/** Media types of temperature readings. */
export const readingsTypes = ['text/csv', 'application/x-ndjson'] as const;

/** Units of temperature readings. */
export const temperatureUnits = ['celsius', 'fahrenheit', 'kelvin'] as const;

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
