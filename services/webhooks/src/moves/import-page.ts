import { type Database, execute, fragment, type Transaction } from '@pto/database';
import { invalid } from '@pto/errors';
import {
  type CopiedTable,
  decodePage,
  type Held,
  importing,
  importRows,
  type Page,
} from '@pto/moves';
import { tables } from '../schema/entities.ts';
import {
  type CopyHead,
  endpointParts,
  endpointsTable,
  history,
  type List,
  lists,
} from './copied-tables.ts';

/**
 * Stores a page of Export. Endpoints are stored as paused: nothing is sent before Release.
 * @returns the number of rows.
 * @throws Failure ILLEGAL_TRANSITION unless the organization arrives with this token; VALIDATION.
 */
export const importPage = (db: Database, held: Held, bytes: Uint8Array): Promise<number> => {
  const page = decodePage<CopyHead>(bytes);
  const { of, isFirst } = page.head;
  return importing(db, held, async (tx) => {
    if (of === endpointsTable.name) return replaceEndpoints(tx, held.organizationId, page);
    const found = all.find(({ name }) => name === of);
    if (!found) throw invalid(['rows'], 'has a table that is not copied', of);
    const table = { ...found, key: found.storedKey ?? found.key };
    const rows = rowsOf(page, table);
    const list = listOf(of);
    if (list) await execute(tx, gone(list, held.organizationId, isFirst ? null : rows));
    return importRows(tx, table, held.organizationId, rows);
  });
};

const all: readonly List[] = [...history, ...lists];

const rowsOf = ({ rows }: Page<CopyHead>, { name }: CopiedTable): string => {
  const found = rows.get(name);
  if (found === undefined) throw invalid(['rows'], 'lacks a table', name);
  return found;
};

const listOf = (name: string) =>
  (['deleted_endpoints', 'warnings', 'quarantined_deliveries', 'pending_deliveries'] as const).find(
    (list) => list === name,
  );

/** The values of a column of JSON rows, as an array: PostgreSQL reads the JSON once. */
const valuesOf = (rows: string, column: 'id' | 'delivery_id') =>
  fragment<string>`(array(select (r ->> ${fragment.lit(column)})::uuid
    from json_array_elements(${rows}::json) as j (r)))`;

/**
 * Deletes the rows of a list that its next page replaces. A page that arrives twice is stored once.
 * @param rows null: all rows of the organization.
 */
const gone = (
  list: NonNullable<ReturnType<typeof listOf>>,
  organizationId: string,
  rows: string | null,
) => {
  if (list === 'warnings' || list === 'deleted_endpoints')
    return tables
      .deleteFrom(list)
      .where('organization_id', '=', organizationId)
      .$if(rows !== null, (those) =>
        those.where('id', '=', fragment<string>`any ${valuesOf(rows!, 'id')}`),
      );
  return tables
    .deleteFrom(list)
    .where('organization_id', '=', organizationId)
    .$if(rows !== null, (those) =>
      those.where('delivery_id', '=', fragment<string>`any ${valuesOf(rows!, 'delivery_id')}`),
    );
};

/**
 * Replaces the organization's endpoints, and what belongs to them. An endpoint that stays is never
 * deleted: its deletion would delete what belongs to it.
 */
const replaceEndpoints = async (
  tx: Transaction,
  organizationId: string,
  page: Page<CopyHead>,
): Promise<number> => {
  for (const name of ['endpoint_creations', 'endpoint_secrets', 'endpoint_sequences'] as const)
    await execute(tx, tables.deleteFrom(name).where('organization_id', '=', organizationId));
  const endpoints = rowsOf(page, endpointsTable);
  await execute(
    tx,
    tables
      .deleteFrom('endpoints')
      .where('organization_id', '=', organizationId)
      .where('id', '<>', fragment<string>`all ${valuesOf(endpoints, 'id')}`),
  );
  let count = await importRows(tx, endpointsTable, organizationId, endpoints);
  await execute(
    tx,
    tables
      .updateTable('endpoints')
      .set({ paused: true })
      .where('organization_id', '=', organizationId),
  );
  for (const table of endpointParts)
    count += await importRows(tx, table, organizationId, rowsOf(page, table));
  return count;
};
