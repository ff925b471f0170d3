import { createHash } from 'node:crypto';
import { create } from '@bufbuild/protobuf';
import { bulkStatement, execute, isoMillis, leastUuid, type Sql } from '@pto/database';
import { type Location, LocationSchema } from '@pto/proto/orders/v1/locations';
import { locationJson } from '@pto/representation';
import { createExpiringEntries } from '../expiring-entries.ts';
import type { StructuredAddress } from '../geocoding/geocoder.ts';
import { type Rows, tables } from '../schema/tables.ts';

export const locationColumns = [
  'id',
  'label',
  'street',
  'zip',
  'city',
  'country',
  'lat',
  'lng',
  'created_via_api',
  'created_at',
] as const;

export type LocationRow = Pick<Rows['locations'], (typeof locationColumns)[number]>;

const toLocation = (row: LocationRow): Location =>
  create(LocationSchema, {
    id: row.id,
    label: row.label,
    street: row.street,
    zip: row.zip,
    city: row.city,
    country: row.country,
    ...(row.lat !== null && { lat: row.lat }),
    ...(row.lng !== null && { lng: row.lng }),
    createdViaApi: row.created_via_api,
    createdAt: isoMillis(row.created_at),
  });

/** Case folding: upper case makes SS of ß, and lower case before it ß of ẞ. */
const fold = (text: string): string =>
  text.normalize('NFKC').toLowerCase().toUpperCase().toLowerCase().replace(/\s+/gu, ' ').trim();

/**
 * Returns the hash of a normalized address, 32 bytes. An organization has at most one location with
 * the same hash (decision 12).
 */
export const addressKey = ({ street, zip, city, country }: StructuredAddress): Buffer =>
  createHash('sha256').update([street, zip, city, country].map(fold).join('\0')).digest();

/**
 * Number of locations in a page. The texts of a location have at most 505 characters, 6 bytes each
 * in JSON, so its JSON has at most 3.4 KiB and a page is smaller than 1 MiB.
 */
const pageSize = 250;

/** Lists a page of an organization's locations by id, which is the order of their creation. */
export const listLocations = async (
  sql: Sql,
  { organizationId, afterId }: { organizationId: string; afterId: string },
): Promise<{ locations: Location[]; nextId: string }> => {
  const rows = await execute(
    sql,
    tables
      .selectFrom('locations')
      .select(locationColumns)
      .where('organization_id', '=', organizationId)
      .where('id', '>', afterId || leastUuid)
      .orderBy('id')
      .limit(pageSize),
  );
  return {
    locations: rows.map(toLocation),
    nextId: rows.length === pageSize ? rows.at(-1)!.id : '',
  };
};

/** A location as orders show it. It is shared by all of them, so it is never changed. */
export interface StoredLocation {
  readonly location: Location;
  /** The location's JSON for partners. */
  readonly json: string;
}

export const toStoredLocation = (row: LocationRow): StoredLocation => {
  const location = toLocation(row);
  return { location, json: JSON.stringify(locationJson(location)) };
};

/** A location, and the organization that must have it. */
export interface LocationKey {
  readonly organizationId: string;
  readonly id: string;
}

/** Reads locations. @returns a function that returns one of them; undefined: it does not exist. */
export type FindLocations = (
  sql: Sql,
  keys: readonly LocationKey[],
) => Promise<(key: LocationKey) => StoredLocation | undefined>;

/**
 * 10,000 locations of the usual length occupy about 20 MiB. If an operator erases a location's
 * texts in the database, orders show the erasure after 5 min at the latest.
 */
const limits = { entriesMax: 10_000, bytesMax: 32 * 1024 * 1024, maxAgeMs: 5 * 60_000 };

/** Estimated memory of an entry: its texts twice, at most 2 bytes per character, and objects. */
const bytesOf = ({ json }: StoredLocation): number => 4 * json.length + 1024;

const selectByKeys = bulkStatement({ organization_id: 'uuid', id: 'uuid' }, (rows) =>
  tables
    .selectFrom(rows('r'))
    .innerJoin('locations as l', (join) =>
      join.onRef('l.organization_id', '=', 'r.organization_id').onRef('l.id', '=', 'r.id'),
    )
    .select(locationColumns.map((column) => `l.${column}` as const))
    .select('l.organization_id'),
);

const nameOf = ({ organizationId, id }: LocationKey): string => `${organizationId} ${id}`;

/**
 * Returns a function that finds locations in a cache, and reads the absent ones by one statement:
 * most orders of an organization have the same few locations, and a location never changes after it
 * was stored (decision 12).
 * An order's foreign keys ensure that its locations exist before the order is visible, so the
 * statement may run after the one that read the order.
 * @param now the present time in ms.
 */
export const cachedLocations = (now = () => performance.now()): FindLocations => {
  const entries = createExpiringEntries<StoredLocation>(limits, bytesOf);
  return async (sql, keys) => {
    const at = now();
    const found = new Map<string, StoredLocation>();
    const absent = new Map<string, LocationKey>();
    for (const key of keys) {
      const name = nameOf(key);
      const known = entries.get(name, at);
      if (known) found.set(name, known);
      else absent.set(name, key);
    }
    const rows = [...absent.values()].map(({ organizationId, id }) => ({
      organization_id: organizationId,
      id,
    }));
    for (const row of rows.length > 0 ? await selectByKeys(sql, rows) : []) {
      const stored = toStoredLocation(row);
      const name = nameOf({ organizationId: row.organization_id, id: row.id });
      found.set(name, stored);
      entries.set(name, stored, at);
    }
    return (key) => found.get(nameOf(key));
  };
};
