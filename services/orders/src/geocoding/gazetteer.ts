import { postcodeValidator, postcodeValidatorExistsForCountry } from 'postcode-validator';
import { countryCode, parseAddressLine } from './address-line.ts';
import { foldCity } from './city-names.ts';
import { openCityTable } from './city-table.ts';
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
