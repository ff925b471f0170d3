import { createHash } from 'node:crypto';
import {
  type ArrayOf,
  anyOf,
  byteaArray,
  execute,
  type Given,
  type Sql,
  statement,
  uuidv7,
} from '@pto/database';
import type { StructuredAddress } from '../geocoding/geocoder.ts';
import { tables } from '../schema/orders-database.ts';
import { type LocationRow, locationColumns } from './locations.ts';

export interface NewLocation extends StructuredAddress {
  readonly label: string | null;
  readonly lat: number | null;
  readonly lng: number | null;
  readonly notes?: string | undefined;
  readonly contactName?: string | undefined;
  readonly contactPhone?: string | undefined;
}

/** Case folding: upper case makes SS of ß, and lower case before it ß of ẞ. */
const fold = (text: string): string =>
  text.normalize('NFKC').toLowerCase().toUpperCase().toLowerCase().replace(/\s+/gu, ' ').trim();

/**
 * Returns the hash of a normalized address, 32 bytes. An organization has at most one location with
 * the same hash (decision 12).
 */
export const addressKey = ({ street, zip, city, country }: StructuredAddress): Buffer =>
  createHash('sha256').update([street, zip, city, country].map(fold).join('\0')).digest();

const labelMax = 120;

/**
 * Returns the label of a location for which the partner gave no label: the address, cut to 120
 * characters (decision 12).
 */
const defaultLabel = ({ street, zip, city }: StructuredAddress): string =>
  [...`${street}, ${zip} ${city}`].slice(0, labelMax).join('');

/**
 * Returns the organization's location at an address: the existing location, unchanged, or a new
 * one. If two concurrent calls save the same new address, the unique index lets one of them insert
 * it, and both return that location.
 */
export const saveLocation = async (
  sql: Sql,
  organizationId: string,
  location: NewLocation,
): Promise<LocationRow> => {
  const [saved] = await saveLocations(sql, organizationId, [location]);
  return saved!;
};

/**
 * Saves several locations as `saveLocation` does, and returns them in the same order. One statement
 * finds the existing locations, because most addresses exist already.
 */
export const saveLocations = async (
  sql: Sql,
  organizationId: string,
  locations: readonly NewLocation[],
): Promise<LocationRow[]> => {
  if (locations.length === 0) return [];
  const keys = locations.map(addressKey);
  const known = await findLocations(sql, organizationId, keys);
  // inserted in the order of the keys: two orders with the same two new addresses do not deadlock
  const byKey = [...keys.entries()].toSorted(([, a], [, b]) => a.compare(b));
  for (const [n, key] of byKey) {
    const name = key.toString('hex');
    if (known.has(name)) continue;
    const made = await insertLocation(sql, organizationId, locations[n]!, key);
    const row = made ?? (await findLocations(sql, organizationId, [key])).get(name);
    known.set(name, row!);
  }
  return keys.map((key) => known.get(key.toString('hex'))!);
};

const selectByKey = statement((given: Given<{ organizationId: string; keys: ArrayOf<Buffer> }>) =>
  tables
    .selectFrom('locations')
    .select([...locationColumns, 'address_key'])
    .where('organization_id', '=', given.organizationId)
    .where('address_key', '=', anyOf(given.keys)),
);

/** Returns the existing locations in a Map by address key in hexadecimal. */
const findLocations = async (
  sql: Sql,
  organizationId: string,
  keys: readonly Buffer[],
): Promise<Map<string, LocationRow>> => {
  const rows = await selectByKey(sql, { organizationId, keys: byteaArray(keys) });
  return new Map(rows.map(({ address_key, ...row }) => [address_key.toString('hex'), row]));
};

/** Inserts a location. @returns undefined if the organization has a location at that address. */
const insertLocation = async (
  sql: Sql,
  organizationId: string,
  location: NewLocation,
  key: Buffer,
): Promise<LocationRow | undefined> => {
  const { label, street, zip, city, country, lat, lng } = location;
  const insert = tables
    .insertInto('locations')
    .values({
      id: uuidv7(),
      organization_id: organizationId,
      label: label ?? defaultLabel(location),
      ...{ street, zip, city, country, lat, lng },
      address_key: key,
      notes: location.notes ?? null,
      contact_name: location.contactName ?? null,
      contact_phone: location.contactPhone ?? null,
      created_via_api: true,
    })
    .onConflict((conflict) => conflict.columns(['organization_id', 'address_key']).doNothing())
    .returning(locationColumns);
  const [created] = await execute(sql, insert);
  return created;
};
