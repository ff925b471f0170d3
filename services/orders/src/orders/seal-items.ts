import type { Transaction } from '@pto/database';
import { sealedText } from './items.ts';
import { itemsJson } from './items-sql.ts';

/** Assigns seals to the items, one each, in order. The caller must have locked the order's row. */
export const sealItems = async (
  tx: Transaction,
  orderId: string,
  sealIds: readonly string[],
): Promise<void> => {
  const [row] = await tx.query<{ items: string }>(
    `select ${itemsJson} as items from orders o where o.id = $1`,
    [orderId],
  );
  const items = sealedText(row!.items, sealIds);
  await tx.query(
    `with moved as (delete from order_item_rows where order_id = $1)
     update orders set items = $2, item_count = json_array_length($2) where id = $1`,
    [orderId, items],
  );
};
