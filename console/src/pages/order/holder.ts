interface Place {
  readonly street: string;
  readonly city: string;
}

/** What says who has the goods. */
interface HeldOrder {
  readonly status: string;
  readonly pickupLocation?: Place | undefined;
  readonly dropoffLocation?: Place | undefined;
  readonly dropoffAddressText?: string | undefined;
  readonly driver?: string | undefined;
  readonly transportOrganization?: string | undefined;
}

/** Returns in words who has the goods, by the order's status (decisions, "Order states"). */
export const holderOf = (order: HeldOrder): string => {
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
