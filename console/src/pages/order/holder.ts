import type { Order } from '@pto/proto/orders/v1/orders';

/** Returns in words who has the goods, by the order's status (decisions, "Order states"). */
export const holderOf = (order: Order): string => {
  const { status, pickupLocation, dropoffLocation, dropoffAddressText } = order;
  const carrier = [order.driver, order.transportOrganization].filter(Boolean).join(', ');
  switch (status) {
    case 'PICKUP_STARTED':
      return `${carrier || 'The driver'}, at the pick-up in ${pickupLocation?.city}`;
    case 'SEALED':
      return `${carrier || 'The driver'}, sealed`;
    case 'IN_TRANSIT':
      return `${carrier || 'The driver'}, on the way to ${dropoffLocation?.city}`;
    case 'DELIVERED':
    case 'CLOSED':
      return `The recipient: ${dropoffAddressText ?? `${dropoffLocation?.street}, ${dropoffLocation?.city}`}`;
    case 'CANCELLED':
      return 'The sender: the order was cancelled before custody began';
    default:
      return `The sender: ${pickupLocation?.street}, ${pickupLocation?.city}`;
  }
};
