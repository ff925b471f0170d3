import { type ArrayOf, anyOf, type Given, type Sql, statement, uuidArray } from '@pto/database';
import { Failure } from '@pto/errors';
import type { Stop } from '@pto/proto/orders/v1/orders';
import type { Geocoder } from '../../geocoding/index.ts';
import { type LocationRow, locationColumns } from '../../locations/location-row.ts';
import { type NewLocation, saveLocations } from '../../locations/save-location.ts';
import { tables } from '../../schema/tables.ts';

/** A stop after geocoding: the id of an existing location, or a location to save. */
export type ResolvedStop =
  | { readonly id: string; readonly field: string }
  | { readonly location: NewLocation; readonly field: string };

/**
 * Resolves a stop's address with the geocoder; a location id is returned unchecked. Must run
 * outside of any transaction.
 * @throws Failure ADDRESS_NOT_RESOLVED naming the field, GEOCODER_UNAVAILABLE (decision 11)
 */
export const resolveStop = async (
  geocoder: Geocoder,
  name: 'pickup' | 'dropoff',
  stop: Stop | undefined,
  signal: AbortSignal,
): Promise<ResolvedStop> => {
  const place = stop?.place;
  switch (place?.case) {
    case 'locationId':
      return { id: place.value, field: `${name}.location_id` };
    case 'address': {
      const field = `${name}.address`;
      const { street, zip, city, country, label } = place.value;
      const found = await geocoder.resolve({ street, zip, city, country }, signal);
      if (!found) throw notResolved(field);
      return { field, location: { ...found, label: label ?? null } };
    }
    case 'addressText': {
      const field = `${name}.address_text`;
      const found = await geocoder.resolveText(place.value, signal);
      if (!found) throw notResolved(field);
      return { field, location: { ...found, label: null } };
    }
    default:
      throw new Failure('INTERNAL', 'Something went wrong on our side.', {
        cause: `the request has no place for ${name}`,
      });
  }
};

const notResolved = (field: string): Failure =>
  new Failure('ADDRESS_NOT_RESOLVED', 'The address could not be resolved.', { details: { field } });

const selectLocations = statement(
  (given: Given<{ organizationId: string; ids: ArrayOf<string> }>) =>
    tables
      .selectFrom('locations')
      .select(locationColumns)
      .where('organization_id', '=', given.organizationId)
      .where('id', '=', anyOf(given.ids)),
);

/**
 * Returns the stops' locations, in the same order. The location of an address is the existing one
 * or a new one.
 * @throws Failure LOCATION_NOT_FOUND for the id of no location, or of another organization's
 *   location (decision 4)
 */
export const locateStops = async (
  tx: Sql,
  organizationId: string,
  stops: readonly ResolvedStop[],
): Promise<LocationRow[]> => {
  const found = new Map<ResolvedStop, LocationRow>();
  const made = stops.flatMap((stop) => ('location' in stop ? [stop] : []));
  const rows = await saveLocations(
    tx,
    organizationId,
    made.map(({ location }) => location),
  );
  for (const [n, stop] of made.entries()) found.set(stop, rows[n]!);
  const named = stops.flatMap((stop) => ('id' in stop ? [stop] : []));
  if (named.length > 0) {
    const ids = uuidArray(named.map((stop) => stop.id));
    const known = await selectLocations(tx, { organizationId, ids });
    const byId = new Map(known.map((row) => [row.id, row]));
    for (const stop of named) {
      const row = byId.get(stop.id);
      if (!row)
        throw new Failure('LOCATION_NOT_FOUND', 'There is no such location.', {
          details: { field: stop.field },
        });
      found.set(stop, row);
    }
  }
  return stops.map((stop) => found.get(stop)!);
};
