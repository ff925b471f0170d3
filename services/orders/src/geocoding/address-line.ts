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

/** Returns a country's two letters from a code or a common name; an unknown text in upper case. */
export const countryCode = (text: string): string =>
  countries.get(text.trim().toLowerCase()) ?? text.trim().toUpperCase();

/**
 * Parses `street, zip city` or `street, zip city, country`. Accepts a country prefix before the zip
 * (`D-10117`) and the zip after the city (`London SW1A 1AA`). Without a country it is DE. Returns
 * null for any other form.
 */
export const parseAddressLine = (line: string): StructuredAddress | null => {
  const parts = line.split(',').map((part) => part.trim().replace(/\s+/g, ' '));
  if (parts.some((part) => part === '')) return null;
  const last = parts.at(-1)!;
  const named = parts.length > 2 && !/\d/.test(last);
  const town = named ? parts.at(-2)! : last;
  const street = parts.slice(0, named ? -2 : -1).join(', ');
  const country = named ? countryCode(last) : 'DE';
  if (street === '') return null;
  const before = /^(?:[A-Z]{1,2}-)?(\d[\dA-Z]{2,6}(?: \d{2,3}| [A-Z]{2})?) (\D+)$/i.exec(town);
  if (before) return { street, zip: before[1]!, city: before[2]!, country };
  const behind = /^(\D+?) ([A-Z]{0,2}\d[\dA-Z]*(?: \d[A-Z]{2})?)$/i.exec(town);
  if (behind) return { street, zip: behind[2]!, city: behind[1]!, country };
  return null;
};
