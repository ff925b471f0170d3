import { fragment, type Given, statement, type Transaction } from '@pto/database';
import { tables } from '../schema/tables.ts';
import { sealedText } from './items.ts';

const selectItems = statement((given: Given<{ orderId: string }>) =>
  tables
    .selectFrom('orders')
    .select(({ cast }) => cast<string>('items', 'text').as('items'))
    .where('id', '=', given.orderId),
);

const storeItems = statement((given: Given<{ orderId: string; items: string }>) =>
  tables
    .updateTable('orders')
    .set({ items: fragment<readonly unknown[]>`${given.items}::json` })
    .where('id', '=', given.orderId),
);

/** Assigns one seal to each item, in order. The caller must have locked the order's row. */
export const sealItems = async (
  tx: Transaction,
  orderId: string,
  sealIds: readonly string[],
): Promise<void> => {
  const [row] = await selectItems(tx, { orderId });
  await storeItems(tx, { orderId, items: sealedText(row!.items, sealIds) });
};
