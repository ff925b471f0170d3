import { type Database, execute, type Transaction } from '@pto/database';
import { type Held, importing, importRows } from '@pto/moves';
import { noChangeBefore } from '../change-time.ts';
import { tables } from '../schema/tables.ts';
import {
  copiedTables,
  ordersTable,
  type Page,
  producedTable,
  type Rows,
  replacedTables,
} from './pages.ts';

/**
 * Stores a page of another cell. The rows of an order become those of the page, so that what was
 * erased between two copies does not come back.
 * @returns the number of rows.
 * @throws Failure ILLEGAL_TRANSITION unless the organization is held as ARRIVING with this token.
 */
export const importPage = (db: Database, held: Held, page: Page): Promise<number> =>
  importing(db, held, async (tx) => {
    const { organizationId } = held;
    if (page.kind === 'rows') return importRows(tx, copiedTables[page.table], page.rows);
    if (page.kind === 'moments') {
      for (const at of page.moments) await noChangeBefore(tx, organizationId, at);
      return page.moments.length;
    }
    if (page.orderIds.length === 0) return 0;
    return importOrders(tx, organizationId, page.orderIds, page.rows);
  });

const importOrders = async (
  tx: Transaction,
  organizationId: string,
  orderIds: readonly string[],
  rows: Rows,
): Promise<number> => {
  const of = (name: string): string => rows[name] ?? '[]';
  let count = 0;
  for (const table of [copiedTables.locations, ordersTable, producedTable])
    count += await importRows(tx, table, of(table.name));
  for (const table of replacedTables) {
    const deletion = tables
      .deleteFrom(table.name as 'disclosures')
      .where('organization_id', '=', organizationId)
      .where('order_id', 'in', orderIds);
    await execute(tx, deletion);
    count += await importRows(tx, table, of(table.name));
  }
  await execute(tx, clearFlags(organizationId, orderIds));
  // the order is here again: its row is the evidence
  const evidence = tables
    .deleteFrom('moved_orders')
    .where('organization_id', '=', organizationId)
    .where('order_id', 'in', orderIds);
  await execute(tx, evidence);
  return count;
};

/** Violations stay in the cell of their ledger, and none is open when the organization moves. */
const clearFlags = (organizationId: string, orderIds: readonly string[]) =>
  tables
    .updateTable('orders')
    .set({ custody_fault: null })
    .where('organization_id', '=', organizationId)
    .where('id', 'in', orderIds)
    .where('custody_fault', 'is not', null);
