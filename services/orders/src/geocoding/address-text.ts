import { foldCity, transliterate, usualNames } from './city-names.ts';
import type { Place, StructuredAddress } from './geocoder.ts';

/** The countries whose names are known, and the languages in which they are known. */
const named = ['AT', 'BE', 'CH', 'CZ', 'DE', 'DK', 'ES', 'FR', 'GB', 'IT', 'LU', 'NL', 'PL', 'US'];
const languages = ['da', 'de', 'en', 'es', 'fr', 'it', 'nl', 'pl'];

/**
 * Country codes by name. A Map, because partners supply the names, and an object also has members
 * such as `constructor`.
 */
const countries: ReadonlyMap<string, string> = new Map([
  ['great britain', 'GB'],
  ...languages.flatMap((language) => {
    const names = new Intl.DisplayNames([language], { type: 'region' });
    return named.map((code) => [names.of(code)!.toLowerCase(), code] as const);
  }),
]);

/** Country codes by the sign that is written before a postal code, where it is not the code. */
const signs: ReadonlyMap<string, string> = new Map([
  ['A', 'AT'],
  ['B', 'BE'],
  ['D', 'DE'],
  ['E', 'ES'],
  ['F', 'FR'],
  ['FIN', 'FI'],
  ['FL', 'LI'],
  ['H', 'HU'],
  ['I', 'IT'],
  ['L', 'LU'],
  ['N', 'NO'],
  ['P', 'PT'],
  ['S', 'SE'],
  ['SLO', 'SI'],
]);

/** Returns a country's two letters from a code or a common name; an unknown text in upper case. */
export const countryCode = (text: string): string =>
  countries.get(text.trim().toLowerCase()) ?? text.trim().toUpperCase();

/** An address that was read from a line; without a country if the line names none. */
export interface AddressLine extends Omit<StructuredAddress, 'country'> {
  readonly country: string | undefined;
}

/** Returns an address in one line: a line break separates its parts as a comma does. */
export const oneLine = (text: string): string =>
  text
    .split(/[\r\n\u2028\u2029]/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n')
    .replace(/,?\n/g, ', ');

/**
 * Parses `street, zip city` or `street, zip city, country`. Accepts a country's sign or code before
 * the zip (`D-10117`, `AT-1090`), which is the country, and the zip after the city
 * (`London SW1A 1AA`). Returns null for any other form, and for two countries that differ.
 */
export const parseAddressLine = (line: string): AddressLine | null => {
  const parts = line.split(',').map((part) => part.trim().replace(/\s+/g, ' '));
  if (parts.some((part) => part === '')) return null;
  const last = parts.at(-1)!;
  const named = parts.length > 2 && !/\d/.test(last);
  const town = named ? parts.at(-2)! : last;
  const street = parts.slice(0, named ? -2 : -1).join(', ');
  const country = named ? countryCode(last) : undefined;
  if (street === '') return null;
  const before = /^(?:([A-Z]{1,3})-)?(\d[\dA-Z]{1,6}(?:[ -]\d{2,4}| [A-Z]{2})?) (\D+)$/i.exec(town);
  if (before) {
    const [, sign, zip, city] = before;
    const own = sign && (signs.get(sign.toUpperCase()) ?? countryCode(sign));
    if (own && country !== undefined && own !== country) return null;
    return { street, zip: zip!, city: city!, country: own ?? country };
  }
  const behind = /^(\D+?) ([A-Z]{0,2}\d[\dA-Z]*(?: \d[A-Z]{2})?)$/i.exec(town);
  if (behind) return { street, zip: behind[2]!, city: behind[1]!, country };
  return null;
};

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
