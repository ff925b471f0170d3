import { create } from '@bufbuild/protobuf';
import { execute, fragment, isoMillis, leastUuid, type Sql } from '@pto/database';
import { type Location, LocationSchema } from '@pto/proto/orders/v1/locations';
import { type Rows, tables } from '../schema/orders-database.ts';

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

/**
 * Returns SQL for a row of `locations` as JSON. The time is cast to text, because JSON would write
 * it in another format than the driver does.
 * @param alias the table's name in the statement.
 */
export const locationObject = (alias: 'p' | 'd') => {
  const members = locationColumns.map((column) => {
    const value = fragment.ref(`${alias}.${column}`);
    const shown = column === 'created_at' ? fragment`${value}::text` : value;
    return fragment`${fragment.lit(column)}, ${shown}`;
  });
  return fragment<LocationRow>`json_build_object(${fragment.join(members)})`;
};

export const toLocation = (row: LocationRow): Location =>
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

/**
 * Number of locations in a page. The texts of a location have at most 505 characters, 6 bytes each
 * in JSON, so its JSON has at most 3.4 KiB and a page is smaller than 1 MiB.
 */
const pageSize = 250;

/** Lists a page of an organization's locations by id, which is the order of their creation. */
export const listLocations = async (
  sql: Sql,
  organizationId: string,
  afterId: string,
): Promise<{ rows: LocationRow[]; nextId: string }> => {
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
  return { rows, nextId: rows.length === pageSize ? rows.at(-1)!.id : '' };
};
