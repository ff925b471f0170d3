/**
 * Caches locations in the process, because most orders of an organization have the same few
 * locations. A location never changes after it was stored (decision 12).
 */

import { type ArrayOf, anyOf, type Given, type Sql, statement, uuidArray } from '@pto/database';
import type { Location } from '@pto/proto/orders/v1/locations';
import { locationJson } from '@pto/representation';
import { createExpiringEntries, type Limits } from '../expiring-entries.ts';
import { tables } from '../schema/orders-database.ts';
import { type LocationRow, locationColumns, toLocation } from './locations.ts';

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

/** Returns locations by their ids. */
export type FindLocations = (
  sql: Sql,
  ids: readonly string[],
) => Promise<ReadonlyMap<string, StoredLocation>>;

/**
 * 10,000 locations of the usual length occupy about 20 MiB. If an operator erases a location's
 * texts in the database, orders show the erasure after 5 min at the latest.
 */
const limits: Limits = { entriesMax: 10_000, bytesMax: 32 * 1024 * 1024, maxAgeMs: 5 * 60_000 };

/** Estimated memory of an entry: its texts twice, at most 2 bytes per character, and objects. */
const bytesOf = ({ json }: StoredLocation): number => 4 * json.length + 1024;

const selectByIds = statement(({ ids }: Given<{ ids: ArrayOf<string> }>) =>
  tables.selectFrom('locations').select(locationColumns).where('id', '=', anyOf(ids)),
);

/**
 * Returns a function that finds locations in a cache, and reads the absent ones by one statement.
 * An order's foreign keys ensure that its locations exist before the order is visible, so the
 * statement may run after the one that read the order. The caller takes the ids from orders that
 * the organization may see: the cache does not check the organization.
 * @param now the present time in ms.
 */
export const cachedLocations = (now = () => performance.now()): FindLocations => {
  const entries = createExpiringEntries<StoredLocation>(limits, bytesOf);
  return async (sql, ids) => {
    const at = now();
    const found = new Map<string, StoredLocation>();
    const absent: string[] = [];
    for (const id of new Set(ids)) {
      const known = entries.get(id, at);
      if (known) found.set(id, known);
      else absent.push(id);
    }
    if (absent.length === 0) return found;
    for (const row of await selectByIds(sql, { ids: uuidArray(absent) })) {
      const stored = toStoredLocation(row);
      found.set(row.id, stored);
      entries.set(row.id, stored, at);
    }
    return found;
  };
};
