/** From where to where, and from whom to whom: the source and destination lists of an event. */

import { locationUri, partyUri } from '../identifiers.ts';
import type { JsonObject, RecordedEntry, RecordedOrder } from '../order-record.ts';
import { handoverOf } from '../payloads.ts';

const lists = (type: string, source?: string, destination?: string): JsonObject => ({
  sourceList: source === undefined ? undefined : [{ type, source }],
  destinationList: destination === undefined ? undefined : [{ type, destination }],
});

/** Returns both lists of an entry; no members for an entry that moves nothing. */
export const sourceAndDestination = (
  { pickup_location, dropoff_location }: RecordedOrder,
  entry: RecordedEntry,
): JsonObject => {
  const handover = handoverOf(entry);
  if (handover)
    return lists('possessing_party', partyUri(handover.from.party), partyUri(handover.to.party));
  const { internal_type } = entry;
  if (internal_type !== 'TRANSPORT_STARTED' && internal_type !== 'CUSTODY_TRANSFERRED') return {};
  return lists(
    'location',
    pickup_location ? locationUri(pickup_location) : undefined,
    dropoff_location ? locationUri(dropoff_location) : undefined,
  );
};

/** Location at which an entry of this internal type takes place, by the stop of the order. */
const stops: Readonly<Record<string, 'pickup_location' | 'dropoff_location'>> = {
  PICKUP_STARTED: 'pickup_location',
  SEAL_APPLIED: 'pickup_location',
  TRANSPORT_STARTED: 'pickup_location',
  CUSTODY_TRANSFERRED: 'dropoff_location',
  ORDER_CLOSED: 'dropoff_location',
  pickup: 'pickup_location',
  dropoff: 'dropoff_location',
};

/**
 * Returns where an entry took place: the entry's coordinates, or else the stop's location, and as
 * business location the stop. A departure leaves its stop and has no business location.
 */
export const placeOf = (order: RecordedOrder, entry: RecordedEntry): JsonObject => {
  const { gps_lat: lat, gps_lng: lng, internal_type } = entry;
  const stop = stops[handoverOf(entry)?.stage ?? internal_type];
  const location = stop && order[stop];
  const stopPlace = location ? { id: locationUri(location) } : undefined;
  return {
    readPoint: lat !== null && lng !== null ? { id: `geo:${lat},${lng}` } : stopPlace,
    bizLocation: internal_type === 'TRANSPORT_STARTED' ? undefined : stopPlace,
  };
};
