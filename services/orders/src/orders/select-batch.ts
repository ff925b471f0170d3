import type { Sql } from '@pto/database';
import { itemCount } from './items-sql.ts';
import {
  type OrderRow,
  orderColumns,
  orderTables,
  type StoredOrder,
  toStored,
} from './order-row.ts';
import type { PageStatement } from './orders-page.ts';
import { batchItemsMax } from './page-size.ts';

export interface OrderBatch {
  /** Orders, newest first. Empty if the first order has too many items, or no order is left. */
  readonly found: readonly StoredOrder[];
  /** Whether the list has more orders after these. */
  readonly hasMore: boolean;
}

/**
 * Reads the first orders of a list that have at most `batchItemsMax` items together, or only the
 * first order.
 * @param itemsMax orders with more items are not read.
 */
export const selectBatch = async (
  sql: Sql,
  { rest, parameters }: PageStatement,
  itemsMax: number,
): Promise<OrderBatch> => {
  const rows = await sql.query<OrderRow & { matched: number }>(
    `with listed as materialized (select o.id, o.created_at, ${itemCount} as items
       from orders o ${rest}),
     batch as materialized (select id, items, count(*) over ()::int as matched,
         sum(items) over (order by created_at desc, id desc) - items as items_before
       from listed)
     select ${orderColumns}, batch.matched from ${orderTables} join batch on batch.id = o.id
     where batch.items_before + batch.items <= ${Math.min(itemsMax, batchItemsMax)}
       or batch.items_before = 0 and batch.items <= ${itemsMax}
     order by o.created_at desc, o.id desc`,
    parameters,
  );
  return { found: rows.map(toStored), hasMore: (rows[0]?.matched ?? 0) > rows.length };
};
