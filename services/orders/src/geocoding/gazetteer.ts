import { readFileSync } from 'node:fs';
import { postcodeValidator, postcodeValidatorExistsForCountry } from 'postcode-validator';
import { countryCode, parseAddressLine } from './address-text.ts';
import { foldCity } from './city-names.ts';
import type { Geocoder, Place, StructuredAddress } from './geocoder.ts';

/**
 * Opens a geocoder without a network. The city must be one of GeoNames' 135,000 cities with at
 * least a thousand inhabitants. The postal code must have the country's form, if that form is
 * known. The street is not checked, and the coordinates are the city's. A line without a country is
 * in DE.
 */
export const openGazetteer = (): Geocoder => {
  const find = openCityTable();
  const resolve = (address: StructuredAddress): Place | null => {
    const country = countryCode(address.country);
    const city = find(`${country} ${foldCity(address.city)}`);
    return city && postalCodeFits(address.zip, country) ? { ...address, ...city } : null;
  };
  return {
    resolve: async (address) => resolve(address),
    resolveText: async (line) => {
      const address = parseAddressLine(line);
      return address && resolve({ ...address, country: address.country ?? 'DE' });
    },
  };
};

const postalCodeFits = (written: string, country: string): boolean => {
  const zip = written.normalize('NFKC').trim(); // the normalization of decision 12
  if (country === 'DE') return /^\d{5}$/.test(zip) && zip >= '01001' && zip <= '99998';
  if (!postcodeValidatorExistsForCountry(country)) return true;
  // some countries' form has a prefix, which a line's zip has lost (`L-1855`, `LV-1010`)
  const forms = [zip, `${country}-${zip}`, `${country[0]}-${zip}`];
  return forms.some((form) => postcodeValidator(form, country));
};

/** In degrees, WGS 84. */
type Coordinates = Pick<Place, 'lat' | 'lng'>;

const newline = 0x0a;
const tab = 0x09;

/**
 * Opens the table of cities. Returns a function that finds a spelling by binary search; null if the
 * table does not contain it. `node tools/cities.ts` writes `cities.tsv`: one line for each
 * spelling, `<country> <folded name>`, latitude, longitude, sorted by the spelling's bytes. The
 * table stays a buffer of 5 MB outside of the heap: parsed into objects it took 170 MB and one
 * second at start.
 */
export const openCityTable = (): ((spelling: string) => Coordinates | null) => {
  const table = readFileSync(new URL('cities.tsv', import.meta.url));
  return (spelling) => {
    const wanted = Buffer.from(spelling);
    let from = 0;
    let to = table.length;
    while (from < to) {
      const middle = (from + to) >>> 1;
      const start = middle === 0 ? 0 : table.lastIndexOf(newline, middle - 1) + 1;
      const end = table.indexOf(newline, start);
      const order = table.compare(wanted, 0, wanted.length, start, table.indexOf(tab, start));
      if (order === 0) return coordinatesOf(table.toString('latin1', start, end));
      if (order < 0) from = end + 1;
      else to = start;
    }
    return null;
  };
};

const coordinatesOf = (line: string): Coordinates => {
  const [, lat, lng] = line.split('\t');
  return { lat: Number(lat), lng: Number(lng) };
};
