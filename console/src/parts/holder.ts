import { firstHolder, type Holder, holderAfter } from '@pto/custody-verifier/holder';
import { custodyStatuses } from '@pto/proto/vocabulary';
import type { ShownOrder } from './order/source.ts';
import type { Schemas } from './schemas.ts';
import { t } from './words.ts';

/** What an order says about who has the goods. */
type HeldOrder = Pick<ShownOrder['order'], 'status' | 'driver' | 'transport_organization'> & {
  readonly pickup_location?: Place;
  readonly dropoff_location?: Place;
  readonly dropoff_address_text?: string | null;
};
type Place = Pick<Schemas['Location'], 'street' | 'city'> | null;

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

/** Returns which party has the goods between sender and recipient; undefined: none has them. */
export const partyWith = (order: HeldOrder, entries: readonly unknown[]): string | undefined => {
  if (!custodyStatuses.some((status) => status === order.status)) return undefined;
  const held = entries.reduce<Holder>(holderAfter, firstHolder);
  return (held.goods === 'party' && held.party) || order.transport_organization;
};

/** Whether an order is delivered, and its chain does not say so yet. */
const isBehind = ({ status }: HeldOrder, entries: readonly unknown[]): boolean =>
  (status === 'DELIVERED' || status === 'CLOSED') &&
  !entries.some(
    (entry) => (entry as { internal_type?: unknown }).internal_type === 'CUSTODY_TRANSFERRED',
  );

/** Where the goods are after a handover, as an end of the sentence. */
const whereOf = (order: HeldOrder, stage: string): string => {
  if (stage === 'dropoff') return `, ${t('received at the drop-off')}`;
  if (stage === 'return') return `, ${t('received as a return')}`;
  return placeOf(order);
};

/** Where the goods are while a carrier has them, as an end of the sentence. */
const placeOf = ({ status, pickup_location: from, dropoff_location: to }: HeldOrder): string => {
  if (status === 'PICKUP_STARTED')
    return `, ${from ? t('at the pick-up in {city}', { city: from.city }) : t('at the pick-up')}`;
  if (status === 'SEALED') return `, ${t('sealed')}`;
  if (status === 'IN_TRANSIT')
    return `, ${to ? t('on the way to {city}', { city: to.city }) : t('on the way')}`;
  return '';
};

const byStatus = (order: HeldOrder): string => {
  const carrier = [order.driver, order.transport_organization].filter(Boolean).join(', ');
  switch (order.status) {
    case 'PICKUP_STARTED':
    case 'SEALED':
    case 'IN_TRANSIT':
      return (carrier || t('The driver')) + placeOf(order);
    case 'DELIVERED':
    case 'CLOSED':
      return `${t('The recipient')}: ${order.dropoff_address_text ?? addressOf(order.dropoff_location)}`;
    case 'CANCELLED':
      return `${t('The sender')}: ${t('the order was cancelled before custody began')}`;
    default:
      return `${t('The sender')}: ${addressOf(order.pickup_location)}`;
  }
};

const addressOf = (place?: Place): string =>
  place ? `${place.street}, ${place.city}` : t('address unknown');
