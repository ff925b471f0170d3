import type { Geocoder, Place } from './geocoder.ts';
import { fetchJson, readPlace } from './geocoder-server.ts';
import { isPlaceOfLine, isSamePlace } from './is-same-place.ts';

type NominatimResponse = readonly ({
  readonly lat?: unknown;
  readonly lon?: unknown;
  readonly address?: Readonly<Record<string, unknown>> | null;
} | null)[];

/** Opens the client of a Nominatim server (`/search`), for structured and free-text addresses. */
export const openNominatim = (baseUrl: string, timeoutMs: number): Geocoder => {
  const search = async (
    query: Record<string, string>,
    signal: AbortSignal,
  ): Promise<Place | null> => {
    const url = new URL('search', baseUrl.endsWith('/') ? baseUrl : `${baseUrl}/`);
    const fixed = { format: 'jsonv2', addressdetails: '1', limit: '1' };
    url.search = new URLSearchParams({ ...query, ...fixed }).toString();
    return fetchJson(url, timeoutMs, signal, ([found]: NominatimResponse) => {
      const { road, house_number, postcode, city, town, village, country_code } =
        found?.address ?? {};
      return readPlace({
        street: house_number && road ? `${road} ${house_number}` : road,
        zip: postcode,
        city: city ?? town ?? village,
        country: typeof country_code === 'string' ? country_code.toUpperCase() : undefined,
        lat: degrees(found?.lat),
        lng: degrees(found?.lon),
      });
    });
  };
  return {
    resolve: async (address, signal) => {
      const { street, zip, city, country } = address;
      const found = await search({ street, postalcode: zip, city, country }, signal);
      if (!found || !isSamePlace(address, found)) return null;
      return { ...address, lat: found.lat, lng: found.lng };
    },
    resolveText: async (line, signal) => {
      const found = await search({ q: line }, signal);
      return found && isPlaceOfLine(line, found) ? found : null;
    },
  };
};

/** Converts degrees, which Nominatim writes as text; undefined for anything else. */
const degrees = (text: unknown): number | undefined =>
  typeof text === 'string' && text.trim() !== '' ? Number(text) : undefined;
