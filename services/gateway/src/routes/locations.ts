import { locationJson } from '@pto/representation';
import type { Backends } from '../backends.ts';
import { location, locationCreate } from '../resources/locations.ts';
import { list } from '../validation/index.ts';
import { created, idempotencyHeader, idempotencyRejections, keyOf } from './idempotency.ts';
import { route } from './route.ts';
import { given } from './rpc-requests.ts';

/** The operations on locations (contract 4.7, 4.8). */
export const locationRoutes = ({ locations }: Pick<Backends, 'locations'>) => [
  route({
    name: 'listLocations',
    deadlineMs: readingMaxMs,
    method: 'GET',
    path: '/locations',
    scope: 'orders:read',
    lane: 'list',
    response: list(location),
    summary: 'List locations',
    description: 'All locations of your organization, without pages.',
    handle: async ({ organizationId, read }) => ({
      pieces: jsonArray(pagesOf(locations, organizationId, read), locationJson),
    }),
  }),
  route({
    name: 'createLocation',
    method: 'POST',
    path: '/locations',
    scope: 'orders:write',
    schemas: { header: idempotencyHeader, body: locationCreate },
    success: 201,
    response: location,
    rejections: idempotencyRejections,
    summary: 'Create a location',
    description:
      'If your organization has a location with this address, the response is that location, unchanged. Addresses are compared without case, spacing and Unicode variants. `lat` and `lng` are null if geocoding does not find the address. With an `Idempotency-Key`, a repeated request with the same key and body gets the stored response for 24 hours, with `Idempotency-Replayed: true`.',
    handle: async (request) => {
      const { organizationId, body, call } = request;
      const { label, street, zip, city, country } = body;
      const wanted = {
        organizationId,
        ...{ label, street, zip, city, country },
        ...given('notes', body.notes),
        ...given('contactName', body.contact_name),
        ...given('contactPhone', body.contact_phone),
        ...keyOf(request),
      };
      return created(await locations.createLocation(wanted, call));
    },
  }),
];

/**
 * Maximum time in ms in which a partner must have read all locations. The RPC of each page has at
 * most `pageMaxMs`.
 */
const readingMaxMs = 300_000;
const pageMaxMs = 10_000;

/**
 * Reads the locations page by page. The next page is requested after the page before was sent, so
 * memory never contains all locations.
 */
async function* pagesOf(
  locations: Backends['locations'],
  organizationId: string,
  { deadline, signal }: { deadline: number; signal: AbortSignal },
) {
  for (let afterId: string | undefined = ''; afterId !== undefined; ) {
    const page: Awaited<ReturnType<Backends['locations']['listLocations']>> =
      await locations.listLocations(
        { organizationId, afterId },
        { deadline: Math.min(deadline, performance.now() + pageMaxMs), signal },
      );
    yield page.locations;
    afterId = page.nextId || undefined;
  }
}

/** Writes one JSON array, as one piece of text for each page. */
async function* jsonArray<T>(pages: AsyncIterable<readonly T[]>, toJson: (one: T) => unknown) {
  let before = '[';
  for await (const page of pages) {
    if (page.length > 0) {
      yield `${before}${page.map((one) => JSON.stringify(toJson(one))).join(',')}`;
      before = ',';
    }
  }
  yield before === '[' ? '[]' : ']';
}
