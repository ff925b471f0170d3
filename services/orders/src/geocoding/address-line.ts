import type { StructuredAddress } from './geocoder.ts';

/**
 * Country codes by common name. A Map, because partners supply the names, and an object also has
 * members such as `constructor`.
 */
const countries: ReadonlyMap<string, string> = new Map([
  ['deutschland', 'DE'],
  ['germany', 'DE'],
  ['österreich', 'AT'],
  ['austria', 'AT'],
  ['schweiz', 'CH'],
  ['switzerland', 'CH'],
  ['suisse', 'CH'],
  ['france', 'FR'],
  ['frankreich', 'FR'],
  ['italia', 'IT'],
  ['italien', 'IT'],
  ['italy', 'IT'],
  ['polska', 'PL'],
  ['polen', 'PL'],
  ['poland', 'PL'],
  ['nederland', 'NL'],
  ['niederlande', 'NL'],
  ['netherlands', 'NL'],
  ['belgien', 'BE'],
  ['belgië', 'BE'],
  ['belgium', 'BE'],
  ['belgique', 'BE'],
  ['tschechien', 'CZ'],
  ['czechia', 'CZ'],
  ['dänemark', 'DK'],
  ['danmark', 'DK'],
  ['denmark', 'DK'],
  ['luxemburg', 'LU'],
  ['luxembourg', 'LU'],
  ['spanien', 'ES'],
  ['españa', 'ES'],
  ['spain', 'ES'],
  ['united kingdom', 'GB'],
  ['great britain', 'GB'],
  ['united states', 'US'],
  ['usa', 'US'],
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
