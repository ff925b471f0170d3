import type { Geocoder, Place } from './geocoder.ts';
import { fetchJson } from './http.ts';

type NominatimAnswer = readonly {
  readonly lat?: string;
  readonly lon?: string;
  readonly address?: Readonly<Record<string, string>>;
}[];

/** A Nominatim server (`/search`), structured and free text. */
export const openNominatim = (baseUrl: string, timeoutMs: number): Geocoder => {
  const search = async (
    query: Record<string, string>,
    signal: AbortSignal,
  ): Promise<Place | null> => {
    const url = new URL('search', baseUrl.endsWith('/') ? baseUrl : `${baseUrl}/`);
    const fixed = { format: 'jsonv2', addressdetails: '1', limit: '1' };
    url.search = new URLSearchParams({ ...query, ...fixed }).toString();
    const [found] = (await fetchJson(url, timeoutMs, signal)) as NominatimAnswer;
    const [lat, lng] = [Number(found?.lat), Number(found?.lon)];
    const { road, house_number, postcode, city, town, village, country_code } =
      found?.address ?? {};
    const place = city ?? town ?? village;
    if (!found || Number.isNaN(lat) || Number.isNaN(lng) || !road || !postcode || !place)
      return null;
    return {
      street: house_number ? `${road} ${house_number}` : road,
      zip: postcode,
      city: place,
      country: (country_code ?? 'de').toUpperCase(),
      lat,
      lng,
    };
  };
  return {
    resolve: async (address, signal) => {
      const { street, zip, city, country } = address;
      const found = await search({ street, postalcode: zip, city, country }, signal);
      return found && { ...address, lat: found.lat, lng: found.lng };
    },
    resolveText: (line, signal) => search({ q: line }, signal),
  };
};
