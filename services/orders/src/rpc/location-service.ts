import type { Database } from '@pto/database';
import { LocationService } from '@pto/proto/orders/v1/locations';
import { implement } from '@pto/rpc';
import type { Geocoder } from '../geocoding/geocoder.ts';
import { sharedFindReplay } from '../idempotency.ts';
import { createLocation } from '../locations/create-location.ts';
import { listLocations, toLocation } from '../locations/locations.ts';

/** Serves the gateway's RPCs for partners' locations. */
export const locationService = (given: { db: Database; geocoder: Geocoder; keepMs: number }) => {
  const { db, keepMs } = given;
  const deps = { ...given, findReplay: sharedFindReplay(db, keepMs) };
  return implement(LocationService, {
    createLocation: (request, call) => createLocation(deps, request, call),
    listLocations: async ({ organizationId, afterId }) => {
      const { rows, nextId } = await listLocations(db, organizationId, afterId);
      return { locations: rows.map(toLocation), nextId };
    },
  });
};
