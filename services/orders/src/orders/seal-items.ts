import { fragment, type Given, statement, type Transaction } from '@pto/database';
import { tables } from '../schema/tables.ts';
import { sealedText } from './items.ts';
import { itemsJson } from './items-sql.ts';

const selectItems = statement((given: Given<{ orderId: string }>) =>
  tables.selectFrom('orders as o').select(itemsJson.as('items')).where('o.id', '=', given.orderId),
);

const storeItems = statement((given: Given<{ orderId: string; items: string }>) => {
  const items = fragment<readonly unknown[]>`${given.items}::json`;
  return tables
    .with('moved', (db) => db.deleteFrom('order_item_rows').where('order_id', '=', given.orderId))
    .updateTable('orders')
    .set({ items, item_count: fragment<number>`json_array_length(${items})` })
    .where('id', '=', given.orderId);
});

/**
 * Assigns one seal to each item, in order. Moves items that an earlier version stored in rows to
 * the column `items`. The caller must have locked the order's row.
 */
export const sealItems = async (
  tx: Transaction,
  orderId: string,
  sealIds: readonly string[],
): Promise<void> => {
  const [row] = await selectItems(tx, { orderId });
  await storeItems(tx, { orderId, items: sealedText(row!.items, sealIds) });
};
