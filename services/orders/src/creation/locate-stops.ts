import {
  bulkStatement,
  expressionBuilder,
  fragment,
  type Placeholders,
  type SentRow,
  type Transaction,
} from '@pto/database';
import { Failure } from '@pto/errors';
import type { CreateOrderRequest, Stop } from '@pto/proto/orders/v1/orders';
import { tryChange } from '../change-time.ts';
import type { Cause } from '../changes/emit-events.ts';
import { oneLine } from '../geocoding/address-text.ts';
import type { Geocoder } from '../geocoding/geocoder.ts';
import { type IdempotencyScope, keyName } from '../idempotency.ts';
import { type NewLocation, saveLocations } from '../locations/create-location.ts';
import { addressKey, type FindLocations, type StoredLocation } from '../locations/locations.ts';
import { tables } from '../schema/tables.ts';

/** A stop after geocoding: the id of an existing location, or a location to save. */
export type ResolvedStop =
  | { readonly id: string; readonly field: string }
  | { readonly location: NewLocation; readonly field: string };

/** A request for an order whose addresses are resolved. */
export interface Creation {
  readonly request: CreateOrderRequest;
  readonly stops: readonly [pickup: ResolvedStop, dropoff: ResolvedStop];
  readonly scope: IdempotencyScope | undefined;
  readonly cause: Cause;
}

/** A creation whose stops are existing locations. */
export interface LocatedCreation {
  readonly creation: Creation;
  readonly pickup: StoredLocation;
  readonly dropoff: StoredLocation;
}

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
      const found = await geocoder.resolveText(oneLine(place.value), signal);
      if (!found) throw notResolved(field);
      return { field, location: { ...found, label: null } };
    }
    default:
      throw new Error(`the request has no place for ${name}`);
  }
};

const notResolved = (field: string): Failure =>
  new Failure('ADDRESS_NOT_RESOLVED', 'The address could not be resolved.', { details: { field } });

const wantedTypes = {
  organization_id: 'uuid',
  key: 'text',
  pickup_id: 'text',
  pickup_address: 'text',
  dropoff_id: 'text',
  dropoff_address: 'text',
} as const;

/** @param given `waits`: the caller waits for a poll that is in progress, at a later statement. */
const selectLocated = bulkStatement(
  wantedTypes,
  (rows, given: Placeholders<{ waits: boolean }>) => {
    const wanted = tables.selectFrom(rows('c'));
    /** Selects the location of a stop: by the id if the stop has one, else by the address key. */
    const locationOf = (stop: 'pickup' | 'dropoff') => {
      const { ref, selectFrom } = expressionBuilder(wanted);
      const locations = selectFrom('locations as l')
        .select('l.id')
        .whereRef('l.organization_id', '=', 'c.organization_id');
      const address = fragment<Buffer>`decode(${ref(`c.${stop}_address`)}, 'hex')`;
      return locations
        .where('l.id', '=', fragment<string>`${ref(`c.${stop}_id`)}::uuid`)
        .unionAll(locations.where('l.address_key', '=', address));
    };
    return wanted
      .leftJoinLateral(locationOf('pickup').as('p'), (join) => join.onTrue())
      .leftJoinLateral(locationOf('dropoff').as('d'), (join) => join.onTrue())
      .select(({ cast }) => cast<number>('c.n', 'integer').as('n'))
      .select(['p.id as pickup', 'd.id as dropoff'])
      .where(({ eb, fn, lit, or }) => {
        const hash = fn('hashtextextended', ['c.key', lit(0)]);
        return or([eb('c.key', 'is', null), fn<boolean>('pg_try_advisory_xact_lock', [hash])]);
      })
      .where(({ or, ref }) => or([given.waits, tryChange(ref('c.organization_id'))]));
  },
);

const locate = async (
  tx: Transaction,
  findLocations: FindLocations,
  creations: readonly Creation[],
  waits: boolean,
) => {
  const rows = await selectLocated(tx, creations.map(wantedOf), { waits });
  const located = rows.map(({ n, pickup, dropoff }) => {
    const creation = creations[n - 1]!;
    const { organizationId } = creation.request;
    const keyOf = (id: string | null) => (id === null ? undefined : { organizationId, id });
    return { creation, pickup: keyOf(pickup), dropoff: keyOf(dropoff) };
  });
  const keys = located.flatMap(({ pickup, dropoff }) => [pickup ?? [], dropoff ?? []].flat());
  const find = await findLocations(tx, keys);
  return located.map(({ creation, pickup, dropoff }) => ({
    creation,
    pickup: pickup && find(pickup),
    dropoff: dropoff && find(dropoff),
  }));
};

/**
 * Takes the locks of idempotency keys and organizations without waiting, and reads the locations of
 * the stops.
 * @returns the creations whose locks were free and whose two locations exist.
 */
export const lockAndLocate = async (
  tx: Transaction,
  findLocations: FindLocations,
  creations: readonly Creation[],
): Promise<LocatedCreation[]> => {
  const located = await locate(tx, findLocations, creations, false);
  return located.flatMap(({ creation, pickup, dropoff }) =>
    pickup && dropoff ? [{ creation, pickup, dropoff }] : [],
  );
};

/**
 * Saves the locations of a creation's addresses, and reads the locations of its stops. The
 * transaction has claimed the idempotency key.
 * @throws Failure LOCATION_NOT_FOUND for the id of no location, or of another organization's
 *   location (decision 4)
 */
export const saveAndLocate = async (
  tx: Transaction,
  findLocations: FindLocations,
  creation: Creation,
): Promise<LocatedCreation> => {
  const { request, stops } = creation;
  const addresses = stops.flatMap((stop) => ('location' in stop ? [stop.location] : []));
  await saveLocations(tx, request.organizationId, addresses);
  const [located] = await locate(tx, findLocations, [creation], true);
  const { pickup, dropoff } = located!;
  if (pickup && dropoff) return { creation, pickup, dropoff };
  throw new Failure('LOCATION_NOT_FOUND', 'There is no such location.', {
    details: { field: stops[pickup ? 1 : 0].field },
  });
};

const wantedOf = ({
  request,
  scope,
  stops: [pickup, dropoff],
}: Creation): SentRow<typeof wantedTypes> => ({
  organization_id: request.organizationId,
  key: scope ? keyName(scope) : null,
  pickup_id: idOf(pickup),
  pickup_address: addressOf(pickup),
  dropoff_id: idOf(dropoff),
  dropoff_address: addressOf(dropoff),
});

const idOf = (stop: ResolvedStop): string | null => ('id' in stop ? stop.id : null);

const addressOf = (stop: ResolvedStop): string | null =>
  'location' in stop ? addressKey(stop.location).toString('hex') : null;
