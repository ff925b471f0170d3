import type { Database } from '@pto/database';
import { Failure } from '@pto/errors';
import { LocationService } from '@pto/proto/orders/v1/locations';
import { implement } from '@pto/rpc';
import type { Geocoder, Place, StructuredAddress } from '../geocoding/index.ts';
import { listLocations } from '../locations/list-locations.ts';
import { toLocation } from '../locations/location-row.ts';
import { saveLocation } from '../locations/save-location.ts';

/** Serves the gateway's RPCs for partners' locations. */
export const locationService = ({ db, geocoder }: { db: Database; geocoder: Geocoder }) =>
  implement(LocationService, {
    createLocation: async (request, { signal }) => {
      const { organizationId, street, zip, city, country, label } = request;
      const { notes, contactName, contactPhone } = request;
      const address = { street, zip, city, country };
      const found = await bestEffort(geocoder, address, signal);
      const row = await saveLocation(db, organizationId, {
        ...address,
        label,
        lat: found?.lat ?? null,
        lng: found?.lng ?? null,
        notes,
        contactName,
        contactPhone,
      });
      return { location: toLocation(row) };
    },
    listLocations: async ({ organizationId, afterId }) => {
      const { rows, nextId } = await listLocations(db, organizationId, afterId);
      return { locations: rows.map(toLocation), nextId };
    },
  });

/**
 * Resolves an address. Returns null, for a location without coordinates, if the geocoder finds
 * nothing or is unavailable (contract 2.3, decision 11).
 */
const bestEffort = async (
  geocoder: Geocoder,
  address: StructuredAddress,
  signal: AbortSignal,
): Promise<Place | null> => {
  try {
    return await geocoder.resolve(address, signal);
  } catch (error) {
    if (error instanceof Failure && error.kind === 'GEOCODER_UNAVAILABLE') return null;
    throw error;
  }
};
