import type { Geocoder, Place, StructuredAddress } from './geocoder.ts';
import { fetchJson, readPlace } from './geocoder-server.ts';
import { isPlaceOfLine, isSamePlace } from './is-same-place.ts';

interface PhotonResponse {
  readonly features?: readonly ({
    readonly geometry?: { readonly coordinates?: readonly unknown[] | null } | null;
    readonly properties?: Readonly<Record<string, unknown>> | null;
  } | null)[];
}

/** Opens the client of a Photon server (`/api?q=`). */
export const openPhoton = (baseUrl: string, timeoutMs: number): Geocoder => {
  const search = async (line: string, signal: AbortSignal): Promise<Place | null> => {
    const url = new URL('api', baseUrl.endsWith('/') ? baseUrl : `${baseUrl}/`);
    url.search = new URLSearchParams({ q: line, limit: '1' }).toString();
    return fetchJson(url, timeoutMs, signal, (response: PhotonResponse) => {
      const [found] = response.features ?? [];
      const [lng, lat] = found?.geometry?.coordinates ?? [];
      const { street, name, housenumber, postcode, city, countrycode } = found?.properties ?? {};
      const way = street ?? name;
      return readPlace({
        street: housenumber && way ? `${way} ${housenumber}` : way,
        zip: postcode,
        city,
        country: countrycode,
        ...{ lat, lng },
      });
    });
  };
  return {
    resolve: async (address: StructuredAddress, signal) => {
      const { street, zip, city, country } = address;
      const found = await search(`${street}, ${zip} ${city}, ${country}`, signal);
      if (!found || !isSamePlace(address, found)) return null;
      return { ...address, lat: found.lat, lng: found.lng };
    },
    resolveText: async (line, signal) => {
      const found = await search(line, signal);
      return found && isPlaceOfLine(line, found) ? found : null;
    },
  };
};
