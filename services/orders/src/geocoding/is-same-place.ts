import { type AddressLine, countryCode, parseAddressLine } from './address-line.ts';
import { foldCity, transliterate, usualNames } from './city-names.ts';
import type { Place, StructuredAddress } from './geocoder.ts';

/**
 * Returns whether a place that a geocoder found is in the requested town. A geocoder returns its
 * best match, which can be in another town with a street of the same name. The postal code, the
 * country and the town must be the same; the town may have another usual name, or an addition
 * (`Frankfurt`, `Frankfurt am Main`).
 */
export const isSamePlace = (requested: StructuredAddress | AddressLine, found: Place): boolean =>
  foldZip(requested.zip) === foldZip(found.zip) &&
  (requested.country === undefined ||
    countryCode(requested.country) === countryCode(found.country)) &&
  isSameTown(requested.city, found);

/**
 * Returns whether a place is the one that a line of free text names. A line that is not of the form
 * `street, zip city` must name the town. If it has numbers as long as the postal code, one of them
 * must be the postal code.
 */
export const isPlaceOfLine = (line: string, found: Place): boolean => {
  const requested = parseAddressLine(line);
  if (requested) return isSamePlace(requested, found);
  const words = ` ${foldCity(line)} `;
  const namesTown = spellings(found.city, found.country).some((name) =>
    words.includes(` ${name} `),
  );
  const zip = foldZip(found.zip);
  const zips = (line.match(/\d+/g) ?? []).filter(
    (number) => number.length === zip.length && /^\d{4,}$/.test(zip),
  );
  return namesTown && (zips.length === 0 || zips.includes(zip));
};

const isSameTown = (requested: string, { city, country }: Place): boolean => {
  const wanted = spellings(requested, country);
  return spellings(city, country).some((name) =>
    wanted.some((one) => one === name || one.startsWith(`${name} `) || name.startsWith(`${one} `)),
  );
};

/** Returns the spellings of a town: with and without umlauts, and its other usual names. */
const spellings = (city: string, country: string): string[] =>
  [city, ...usualNames(countryCode(country), city)].flatMap((name) => [
    foldCity(name),
    foldCity(transliterate(name)),
  ]);

const foldZip = (zip: string): string =>
  zip
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '');
