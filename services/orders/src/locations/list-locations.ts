import { execute, leastUuid, type Sql } from '@pto/database';
import { tables } from '../schema/tables.ts';
import { type LocationRow, locationColumns } from './location-row.ts';

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
