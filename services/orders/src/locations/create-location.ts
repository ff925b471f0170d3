import {
  bulkInsert,
  type Database,
  type Placeholders,
  statement,
  type Transaction,
  uuidv7,
} from '@pto/database';
import { Failure } from '@pto/errors';
import { addressLabel } from '@pto/proto/location-label';
import type { CreateLocationRequest } from '@pto/proto/orders/v1/locations';
import { beginChange } from '../change-time.ts';
import type { Geocoder, StructuredAddress } from '../geocoding/geocoder.ts';
import { claimKey, type FindReplay, respondOnce, storeResponses } from '../idempotency.ts';
import { tables } from '../schema/tables.ts';
import { addressKey, locationColumns, toStoredLocation } from './locations.ts';

/**
 * Creates a location (contract 4.8), or returns the existing one at its address. With an
 * idempotency key, the transaction that saves the location stores the response (decision 24).
 * @throws Failure IDEMPOTENCY_KEY_REUSED, IDEMPOTENCY_IN_PROGRESS, ORGANIZATION_HELD
 */
export const createLocation = async (
  deps: {
    readonly db: Database;
    readonly geocoder: Geocoder;
    readonly keepMs: number;
    readonly findReplay: FindReplay;
    readonly requireNotHeld: (organizationId: string) => Promise<void>;
  },
  request: CreateLocationRequest,
  { signal, deadline }: { readonly signal: AbortSignal; readonly deadline: number },
): ReturnType<typeof respondOnce> => {
  const { db, geocoder, findReplay, keepMs } = deps;
  const { organizationId, idempotencyKey: key, bodySha256 } = request;
  const idempotency = key === undefined ? undefined : { key, route: 'POST /locations', bodySha256 };
  const scope = idempotency && { organizationId, idempotency, keepMs };
  return respondOnce(findReplay, scope, async () => {
    const { street, zip, city, country, label, notes, contactName, contactPhone } = request;
    const address = { street, zip, city, country };
    await deps.requireNotHeld(organizationId);
    const { lat, lng } = await bestEffort(geocoder, address, signal);
    const wanted = { ...address, label, lat, lng, notes, contactName, contactPhone };
    return db.transaction(async (tx) => {
      if (scope && !(await claimKey(tx, scope, deadline))) return null;
      await beginChange(tx, organizationId);
      await saveLocations(tx, organizationId, [wanted]);
      const [row] = await selectByKey(tx, { organizationId, key: addressKey(wanted) });
      const body = Buffer.from(toStoredLocation(row!).json);
      if (scope) await storeResponses(tx, [{ scope, body }]);
      return body;
    });
  });
};

/**
 * Resolves an address. Without coordinates if the geocoder finds nothing or is unavailable
 * (contract 2.3, decision 11).
 */
const bestEffort = async (
  geocoder: Geocoder,
  address: StructuredAddress,
  signal: AbortSignal,
): Promise<{ lat: number | null; lng: number | null }> => {
  const found = await geocoder.resolve(address, signal).catch((error) => {
    if (error instanceof Failure && error.kind === 'GEOCODER_UNAVAILABLE') return null;
    throw error;
  });
  return found ?? { lat: null, lng: null };
};

export interface NewLocation extends StructuredAddress {
  readonly label: string | null;
  readonly lat: number | null;
  readonly lng: number | null;
  readonly notes?: string | undefined;
  readonly contactName?: string | undefined;
  readonly contactPhone?: string | undefined;
}

const selectByKey = statement((given: Placeholders<{ organizationId: string; key: Buffer }>) =>
  tables
    .selectFrom('locations')
    .select(locationColumns)
    .where('organization_id', '=', given.organizationId)
    .where('address_key', '=', given.key),
);

const insert = bulkInsert(tables, 'locations', (rows) =>
  rows.onConflict((conflict) => conflict.columns(['organization_id', 'address_key']).doNothing()),
);

/**
 * Saves locations at addresses at which the organization has none. An existing location stays as it
 * is. Sent with the transaction's next statement.
 */
export const saveLocations = async (
  tx: Transaction,
  organizationId: string,
  locations: readonly NewLocation[],
): Promise<void> => {
  const rows = locations
    .map((location) => newRow(organizationId, location))
    // inserted in the order of the keys: two orders with the same two new addresses do not deadlock
    .toSorted((a, b) => a.address_key.compare(b.address_key));
  await insert(tx.pipelined, rows);
};

const newRow = (organizationId: string, location: NewLocation) => {
  const { label, street, zip, city, country, lat, lng } = location;
  return {
    id: uuidv7(),
    organization_id: organizationId,
    label: label ?? addressLabel(location),
    ...{ street, zip, city, country, lat, lng },
    address_key: addressKey(location),
    notes: location.notes ?? null,
    contact_name: location.contactName ?? null,
    contact_phone: location.contactPhone ?? null,
    created_via_api: true,
  };
};
