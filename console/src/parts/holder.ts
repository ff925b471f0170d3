import { firstHolder, type Holder, holderAfter } from '@pto/custody-verifier/holder';

interface Place {
  readonly street: string;
  readonly city: string;
}

/** What an order says about who has the goods. */
interface HeldOrder {
  readonly status: string;
  readonly pickupLocation?: Place | undefined;
  readonly dropoffLocation?: Place | undefined;
  readonly dropoffAddressText?: string | undefined;
  readonly driver?: string | undefined;
  readonly transportOrganization?: string | undefined;
}

/**
 * Returns in words who has the goods: by the last recorded handover, else by the order's status
 * (decisions, "Order states").
 * @param entries of a verified chain as the partners' API returns them; none while it is not read.
 *   The chain may be behind the order.
 */
export const holderOf = (order: HeldOrder, entries: readonly unknown[]): string => {
  const held = entries.reduce<Holder>(holderAfter, firstHolder);
  const received = [held.person, held.party].filter(Boolean).join(', ');
  if (held.goods === 'party' && received !== '' && !isBehind(order, entries))
    return received + whereOf(order, held.stage);
  return byStatus(order);
};

/** Whether an order is delivered, and its chain does not say so yet. */
const isBehind = ({ status }: HeldOrder, entries: readonly unknown[]): boolean =>
  (status === 'DELIVERED' || status === 'CLOSED') &&
  !entries.some(
    (entry) => (entry as { internal_type?: unknown }).internal_type === 'CUSTODY_TRANSFERRED',
  );

/** Where the goods are after a handover, as an end of the sentence. */
const whereOf = (order: HeldOrder, stage: string): string => {
  if (stage === 'dropoff') return ', received at the drop-off';
  if (stage === 'return') return ', received as a return';
  return placeOf(order);
};

/** Where the goods are while a carrier has them, as an end of the sentence. */
const placeOf = ({ status, pickupLocation, dropoffLocation }: HeldOrder): string => {
  if (status === 'PICKUP_STARTED')
    return `, at the pick-up${pickupLocation ? ` in ${pickupLocation.city}` : ''}`;
  if (status === 'SEALED') return ', sealed';
  if (status === 'IN_TRANSIT')
    return `, on the way${dropoffLocation ? ` to ${dropoffLocation.city}` : ''}`;
  return '';
};

const byStatus = (order: HeldOrder): string => {
  const { status, pickupLocation, dropoffLocation, dropoffAddressText } = order;
  const carrier = [order.driver, order.transportOrganization].filter(Boolean).join(', ');
  switch (status) {
    case 'PICKUP_STARTED':
    case 'SEALED':
    case 'IN_TRANSIT':
      return (carrier || 'The driver') + placeOf(order);
    case 'DELIVERED':
    case 'CLOSED':
      return `The recipient: ${dropoffAddressText ?? addressOf(dropoffLocation)}`;
    case 'CANCELLED':
      return 'The sender: the order was cancelled before custody began';
    default:
      return `The sender: ${addressOf(pickupLocation)}`;
  }
};

const addressOf = (place: Place | undefined): string =>
  place ? `${place.street}, ${place.city}` : 'address unknown';
