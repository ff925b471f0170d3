import { locationUri, partyUri } from '../identifiers.ts';
import type { OrderRecord, RecordedLocation, RecordedOrder } from '../order-record.ts';
import { handoverOf } from '../payloads.ts';
import { type Resource, resource, uriIdentifier } from './elements.ts';

/** Returns the two stops of an order. A stop that is known as text alone has this text. */
export const locations = (order: RecordedOrder): readonly Resource[] => [
  location(order, 'pickup', order.pickup_location, null),
  location(order, 'dropoff', order.dropoff_location, order.dropoff_address_text),
];

const location = (
  { id }: RecordedOrder,
  role: string,
  place: RecordedLocation | null,
  text: string | null,
): Resource => {
  if (place === null)
    return resource(
      'Location',
      id,
      text === null ? role : `${role}: ${text}`,
      { name: role, address: text === null ? undefined : { text } },
      role,
    );
  const { label, street, zip, city, country, lat, lng } = place;
  const members = {
    identifier: [uriIdentifier(locationUri(place))],
    name: label ?? role,
    address: { line: [street], city, postalCode: zip, country },
    position: lat === null || lng === null ? undefined : { longitude: lng, latitude: lat },
  };
  const summary = `${role}: ${[label, street, zip, city, country].filter(Boolean).join(', ')}`;
  return resource('Location', id, summary, members, role);
};

/** Returns the organization that has the transport; null before and after an assignment. */
export const transportOrganization = ({ custody }: OrderRecord): string | null => {
  const last = custody.entries.findLast(({ internal_type: type }) =>
    ['ORDER_ASSIGNED', 'ASSIGNMENT_DECLINED'].includes(type),
  );
  const organization = last?.payload?.transport_organization;
  return last?.internal_type === 'ORDER_ASSIGNED' && typeof organization === 'string'
    ? organization
    : null;
};

/** Returns the transport organization and each party of a handover, once. */
export const organizations = (orderRecord: OrderRecord): readonly Resource[] => {
  const assigned = transportOrganization(orderRecord);
  const parties = orderRecord.custody.entries.flatMap((entry) => {
    const handover = handoverOf(entry);
    return handover ? [handover.from.party, handover.to.party] : [];
  });
  const names = new Set(assigned === null ? parties : [assigned, ...parties]);
  return [...names].map((name) =>
    resource(
      'Organization',
      orderRecord.order.id,
      `Organization ${name}`,
      { identifier: [uriIdentifier(partyUri(name))], name },
      name,
    ),
  );
};
