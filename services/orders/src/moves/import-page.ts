import { type Database, execute, type Transaction } from '@pto/database';
import { type CopiedTable, type Held, importing, importRows, type Page } from '@pto/moves';
import { noChangeBefore } from '../change-time.ts';
import { tables } from '../schema/tables.ts';
import {
  type CopyHead,
  copiedTables,
  ordersTable,
  producedTable,
  replacedTables,
} from './copied-tables.ts';

/**
 * Stores a page of another cell. The rows of an order become those of the page, so that what was
 * erased between two copies does not come back.
 * @returns the number of rows.
 * @throws Failure ILLEGAL_TRANSITION unless the organization is held as ARRIVING with this token.
 */
export const importPage = (
  db: Database,
  held: Held,
  { head, rows }: Page<CopyHead>,
): Promise<number> =>
  importing(db, held, async (tx) => {
    const { organizationId } = held;
    if (head.kind === 'rows') {
      const table = copiedTables[head.table];
      return importRows(tx, table, organizationId, rows.get(table.name) ?? '[]');
    }
    if (head.kind === 'moments') {
      for (const at of head.moments) await noChangeBefore(tx, organizationId, at);
      return head.moments.length;
    }
    if (head.orderIds.length === 0) return 0;
    return importOrders(tx, organizationId, head.orderIds, rows);
  });

const importOrders = async (
  tx: Transaction,
  organizationId: string,
  orderIds: readonly string[],
  rows: Page<CopyHead>['rows'],
): Promise<number> => {
  const store = (table: CopiedTable) =>
    importRows(tx, table, organizationId, rows.get(table.name) ?? '[]');
  let count = 0;
  for (const table of [copiedTables.locations, ordersTable, producedTable])
    count += await store(table);
  for (const table of replacedTables) {
    const deletion = tables
      .deleteFrom(table.name as 'disclosures')
      .where('organization_id', '=', organizationId)
      .where('order_id', 'in', orderIds);
    await execute(tx, deletion);
    count += await store(table);
  }
  await execute(tx, clearFlags(organizationId, orderIds));
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
