import type { ListLocationsResponse } from '@pto/proto/orders/v1/locations';
import { locationJson } from '@pto/representation';
import type { Backends } from '../backends.ts';
import { created } from '../http/respond.ts';
import { location, locationCreate } from '../resources/locations.ts';
import { list } from '../validation/schema.ts';
import { type PartnerRequest, route } from './route.ts';

/** The operations on locations (contract 4.7, 4.8). */
export const locationRoutes = ({ locations }: Pick<Backends, 'locations'>) => [
  route({
    name: 'listLocations',
    deadlineMs: readingMaxMs,
    method: 'GET',
    path: '/locations',
    scope: 'orders:read',
    lane: 'rows',
    response: list(location),
    summary: 'List locations',
    description: 'All locations of your organization, without pages.',
    handle: async ({ organizationId, read }) => ({
      pieces: allLocations(locations, organizationId, read),
    }),
  }),
  route({
    name: 'createLocation',
    method: 'POST',
    path: '/locations',
    scope: 'orders:write',
    idempotent: true,
    schemas: { body: locationCreate },
    success: 201,
    response: location,
    summary: 'Create a location',
    description:
      'If your organization has a location with this address, the response is that location, unchanged. Addresses are compared without case, spacing and Unicode variants. `lat` and `lng` are null if geocoding does not find the address. With an `Idempotency-Key`, a repeated request with the same key and body gets the stored response for 24 hours, with `Idempotency-Replayed: true`.',
    handle: async ({ organizationId, body, idempotency, call }) => {
      const { label, street, zip, city, country } = body;
      const wanted = {
        organizationId,
        ...{ label, street, zip, city, country },
        notes: body.notes ?? undefined,
        contactName: body.contact_name ?? undefined,
        contactPhone: body.contact_phone ?? undefined,
        ...idempotency,
      };
      return created(await locations.createLocation(wanted, call));
    },
  }),
];

/**
 * Maximum time in ms in which a partner must have read all locations. The RPC of each page has at
 * most `pageMaxMs`.
 */
export const readingMaxMs = 300_000;
const pageMaxMs = 10_000;

/**
 * Writes the locations as one JSON array, as one piece of text for each page. The next page is
 * requested after the page before was sent, so memory never contains all locations.
 */
async function* allLocations(
  locations: Backends['locations'],
  organizationId: string,
  read: PartnerRequest<unknown, unknown, unknown>['read'],
) {
  let before = '[';
  for (let afterId: string | undefined = ''; afterId !== undefined; ) {
    const page: ListLocationsResponse = await locations.listLocations(
      { organizationId, afterId },
      { ...read, deadline: Math.min(read.deadline, performance.now() + pageMaxMs) },
    );
    if (page.locations.length > 0) {
      yield `${before}${page.locations.map((one) => JSON.stringify(locationJson(one))).join(',')}`;
      before = ',';
    }
    afterId = page.nextId || undefined;
  }
  yield before === '[' ? '[]' : ']';
}
