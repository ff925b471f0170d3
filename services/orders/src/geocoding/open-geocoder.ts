import { ConfigError } from '@pto/config';
import { Failure } from '@pto/errors';
import { fetchJson, urlUnder } from '../fetch-json.ts';
import { isPlaceOfLine, isSamePlace } from './address-text.ts';
import { openGazetteer } from './gazetteer.ts';
import type { Geocoder, Place, StructuredAddress } from './geocoder.ts';

/**
 * Opens the geocoder that the settings select.
 * @throws ConfigError if the selected geocoder needs ORDERS_GEOCODER_URL and it is not set.
 */
export const openGeocoder = (settings: {
  geocoder: 'gazetteer' | 'photon' | 'nominatim';
  geocoderUrl: string;
  geocoderTimeoutMs: number;
}): Geocoder => {
  const { geocoder, geocoderUrl, geocoderTimeoutMs: timeoutMs } = settings;
  if (geocoder === 'gazetteer') return openGazetteer();
  if (geocoderUrl === '')
    throw new ConfigError([`ORDERS_GEOCODER_URL is required for ${geocoder}`]);
  const { path, addressQuery, lineQuery, read } = servers[geocoder];
  const search = async (
    query: Record<string, string>,
    signal: AbortSignal,
  ): Promise<Place | null> => {
    const url = urlUnder(geocoderUrl, path);
    url.search = new URLSearchParams(query).toString();
    try {
      return readPlace(read((await fetchJson(url, timeoutMs, signal)) as never));
    } catch (cause) {
      throw new Failure('GEOCODER_UNAVAILABLE', 'Addresses cannot be looked up right now.', {
        retryAfterSeconds: 5,
        cause,
      });
    }
  };
  return {
    resolve: async (address, signal) => {
      const found = await search(addressQuery(address), signal);
      if (!found || !isSamePlace(address, found)) return null;
      return { ...address, lat: found.lat, lng: found.lng };
    },
    resolveText: async (line, signal) => {
      const found = await search(lineQuery(line), signal);
      return found && isPlaceOfLine(line, found) ? found : null;
    },
  };
};

type Parts = { readonly [K in keyof Place]: unknown };

/** The request to a geocoding server, and the meaning of its response. */
interface Server<Response> {
  readonly path: string;
  addressQuery(address: StructuredAddress): Record<string, string>;
  lineQuery(line: string): Record<string, string>;
  /** Returns the parts of the first place, unchecked. */
  read(response: Response): Parts;
}

interface PhotonResponse {
  readonly features?: readonly ({
    readonly geometry?: { readonly coordinates?: readonly unknown[] | null } | null;
    readonly properties?: Readonly<Record<string, unknown>> | null;
  } | null)[];
}

const photonLine = (line: string) => ({ q: line, limit: '1' });

const photon: Server<PhotonResponse> = {
  path: 'api',
  addressQuery: ({ street, zip, city, country }) =>
    photonLine(`${street}, ${zip} ${city}, ${country}`),
  lineQuery: photonLine,
  read: (response) => {
    const [found] = response.features ?? [];
    const [lng, lat] = found?.geometry?.coordinates ?? [];
    const { street, name, housenumber, postcode, city, countrycode } = found?.properties ?? {};
    const way = street ?? name;
    return {
      street: housenumber && way ? `${way} ${housenumber}` : way,
      zip: postcode,
      city,
      country: countrycode,
      ...{ lat, lng },
    };
  },
};

type NominatimResponse = readonly ({
  readonly lat?: unknown;
  readonly lon?: unknown;
  readonly address?: Readonly<Record<string, unknown>> | null;
} | null)[];

const nominatimFormat = { format: 'jsonv2', addressdetails: '1', limit: '1' };

/** For structured and free-text addresses. */
const nominatim: Server<NominatimResponse> = {
  path: 'search',
  addressQuery: ({ street, zip, city, country }) => ({
    ...{ street, postalcode: zip, city, country },
    ...nominatimFormat,
  }),
  lineQuery: (line) => ({ q: line, ...nominatimFormat }),
  read: ([found]) => {
    const { road, house_number, postcode, city, town, village, country_code } =
      found?.address ?? {};
    return {
      street: house_number && road ? `${road} ${house_number}` : road,
      zip: postcode,
      city: city ?? town ?? village,
      country: typeof country_code === 'string' ? country_code.toUpperCase() : undefined,
      lat: degrees(found?.lat),
      lng: degrees(found?.lon),
    };
  },
};

/** Converts degrees, which Nominatim writes as text; undefined for anything else. */
const degrees = (text: unknown): number | undefined =>
  typeof text === 'string' && text.trim() !== '' ? Number(text) : undefined;

const servers = { photon, nominatim };

/** Maximum lengths of a location's texts in code points (contract 2.3). */
const lengths = { street: 255, zip: 20, city: 100, country: 10 } as const;

/**
 * Validates the parts of a geocoder's response. Returns the place. Returns null if a part is
 * missing, a text is too long or has characters that PostgreSQL cannot store, or a coordinate is
 * out of range.
 */
const readPlace = ({ street, zip, city, country, lat, lng }: Parts): Place | null => {
  if (!isDegree(lat, 90) || !isDegree(lng, 180)) return null;
  const texts = { street, zip, city, country };
  const sound = Object.entries(lengths).every(([name, max]) =>
    isText(texts[name as keyof typeof texts], max),
  );
  return sound ? { ...(texts as Record<keyof typeof texts, string>), lat, lng } : null;
};

const isDegree = (value: unknown, max: number): value is number =>
  typeof value === 'number' && Math.abs(value) <= max;

const isText = (value: unknown, max: number): boolean =>
  typeof value === 'string' &&
  value.isWellFormed() &&
  !value.includes('\0') &&
  value.length > 0 &&
  [...value].length <= max;
