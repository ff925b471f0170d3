import type { Database } from '@pto/database';
import { Failure } from '@pto/errors';
import type { CreateLocationRequest } from '@pto/proto/orders/v1/locations';
import type { Geocoder, Place, StructuredAddress } from '../geocoding/index.ts';
import { claimKey } from '../idempotency/claim-key.ts';
import type { sharedFindReplay } from '../idempotency/find-replay.ts';
import { type IdempotencyScope, storeResponses } from '../idempotency/scope.ts';
import { toStoredLocation } from './location-cache.ts';
import type { LocationRow } from './locations.ts';
import { type NewLocation, saveLocation } from './save-location.ts';

/**
 * Milliseconds before the caller's deadline that stay reserved for the response after the wait for
 * a concurrent request.
 */
const reserveMs = 500;

/**
 * Creates a location (contract 4.8), or returns the existing one at its address. With an
 * idempotency key, the transaction that saves the location stores the response (decision 24).
 * @throws Failure IDEMPOTENCY_KEY_REUSED, IDEMPOTENCY_IN_PROGRESS
 */
export const createLocation = async (
  deps: {
    readonly db: Database;
    readonly geocoder: Geocoder;
    readonly keepMs: number;
    /** Returns the stored response to a request, or null. */
    readonly findReplay: ReturnType<typeof sharedFindReplay>;
  },
  request: CreateLocationRequest,
  { signal, deadline }: { readonly signal: AbortSignal; readonly deadline: number },
): Promise<{ body: Uint8Array; replayed: boolean }> => {
  const { db, geocoder, findReplay } = deps;
  const { organizationId } = request;
  const scope = scopeOf(request, deps.keepMs);
  const early = scope && (await findReplay(scope));
  if (early) return { body: early, replayed: true };
  const wanted = newLocation(request, await bestEffort(geocoder, request, signal));
  if (!scope) return shown(await saveLocation(db, organizationId, wanted));
  const made = await db.transaction(async (tx) => {
    if (!(await claimKey(tx, scope, deadline - performance.now() - reserveMs))) return null;
    const created = shown(await saveLocation(tx, organizationId, wanted));
    await storeResponses(tx, [{ scope, body: created.body }]);
    return created;
  });
  if (made) return made;
  const concurrent = await findReplay(scope);
  if (!concurrent) throw new Error('the key of a location has no response');
  return { body: concurrent, replayed: true };
};

const scopeOf = (
  { organizationId, idempotencyKey: key, bodySha256 }: CreateLocationRequest,
  keepMs: number,
): IdempotencyScope | undefined =>
  key === undefined
    ? undefined
    : { organizationId, idempotency: { key, route: 'POST /locations', bodySha256 }, keepMs };

const newLocation = (request: CreateLocationRequest, found: Place | null): NewLocation => {
  const { street, zip, city, country, label, notes, contactName, contactPhone } = request;
  const place = { lat: found?.lat ?? null, lng: found?.lng ?? null };
  return { street, zip, city, country, label, ...place, notes, contactName, contactPhone };
};

const shown = (row: LocationRow) => ({
  body: Buffer.from(toStoredLocation(row).json),
  replayed: false,
});

/**
 * Resolves an address. Returns null, for a location without coordinates, if the geocoder finds
 * nothing or is unavailable (contract 2.3, decision 11).
 */
const bestEffort = async (
  geocoder: Geocoder,
  { street, zip, city, country }: StructuredAddress,
  signal: AbortSignal,
): Promise<Place | null> => {
  try {
    return await geocoder.resolve({ street, zip, city, country }, signal);
  } catch (error) {
    if (error instanceof Failure && error.kind === 'GEOCODER_UNAVAILABLE') return null;
    throw error;
  }
};
