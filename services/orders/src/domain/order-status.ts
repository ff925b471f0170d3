/** Contract 3.1. */
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
