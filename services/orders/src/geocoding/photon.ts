import type { Geocoder, Place, StructuredAddress } from './geocoder.ts';
import { fetchJson } from './http.ts';

interface PhotonAnswer {
  readonly features?: readonly {
    readonly geometry?: { readonly coordinates?: readonly [number, number] };
    readonly properties?: Readonly<Record<string, string>>;
  }[];
}

/** A Photon server (`/api?q=`). */
export const openPhoton = (baseUrl: string, timeoutMs: number): Geocoder => {
  const search = async (line: string, signal: AbortSignal): Promise<Place | null> => {
    const url = new URL('api', baseUrl.endsWith('/') ? baseUrl : `${baseUrl}/`);
    url.search = new URLSearchParams({ q: line, limit: '1' }).toString();
    const answer = (await fetchJson(url, timeoutMs, signal)) as PhotonAnswer;
    const [found] = answer.features ?? [];
    const [lng, lat] = found?.geometry?.coordinates ?? [];
    const { street, name, housenumber, postcode, city, countrycode } = found?.properties ?? {};
    const way = street ?? name;
    if (lat === undefined || lng === undefined || !way || !postcode || !city) return null;
    return {
      street: housenumber ? `${way} ${housenumber}` : way,
      zip: postcode,
      city,
      country: countrycode ?? 'DE',
      lat,
      lng,
    };
  };
  return {
    resolve: async (address: StructuredAddress, signal) => {
      const { street, zip, city, country } = address;
      const found = await search(`${street}, ${zip} ${city}, ${country}`, signal);
      return found && { ...address, lat: found.lat, lng: found.lng };
    },
    resolveText: search,
  };
};
