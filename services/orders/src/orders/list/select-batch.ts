import { execute, fragment, type Sql } from '@pto/database';
import { tables } from '../../schema/tables.ts';
import { itemCount } from '../items-sql.ts';
import { orderRows, type StoredOrder, toStored } from '../order-row.ts';
import type { PageQuery } from './orders-page.ts';
import { batchItemsMax } from './page-size.ts';

export interface OrderBatch {
  /**
   * Orders, newest first. Empty if the first order has more than `itemsMax` items, or if no order
   * is left.
   */
  readonly found: readonly StoredOrder[];
  /** Whether the page's query selects more orders than were read; false if none was read. */
  readonly hasMore: boolean;
}

/**
 * Reads the first orders of a page, as many as have at most `batchItemsMax` items together. A first
 * order with more items is read alone.
 * @param itemsMax maximum number of items of all read orders together, also of an order that is
 *   read alone.
 */
export const selectBatch = async (
  sql: Sql,
  page: PageQuery,
  itemsMax: number,
): Promise<OrderBatch> => {
  const rows = await execute(
    sql,
    orderRows
      .innerJoin(batchOf(page).as('batch'), 'batch.id', 'o.id')
      .select('batch.matched')
      .where(({ and, eb, lit, or, ref }) => {
        const items = fragment<number>`${ref('batch.items_before')} + ${ref('batch.items')}`;
        return or([
          eb(items, '<=', lit(Math.min(itemsMax, batchItemsMax))),
          and([eb('batch.items_before', '=', lit(0)), eb('batch.items', '<=', lit(itemsMax))]),
        ]);
      })
      .orderBy('o.created_at', 'desc')
      .orderBy('o.id', 'desc'),
  );
  return { found: rows.map(toStored), hasMore: (rows[0]?.matched ?? 0) > rows.length };
};

/**
 * Selects a page's orders, each with the number of its items and of the items of the orders before
 * it, and with the number of all orders of the page (`matched`).
 */
const batchOf = (page: PageQuery) =>
  tables
    .with(
      (cte) => cte('listed').materialized(),
      () => page.select(['o.id', 'o.created_at', itemCount.as('items')]),
    )
    .with(
      (cte) => cte('counted').materialized(),
      (db) =>
        db.selectFrom('listed').select(({ cast, fn, ref }) => [
          'id',
          'items',
          cast<number>(fn.countAll().over(), 'integer').as('matched'),
          fragment<number>`sum(${ref('items')})
              over (order by ${ref('created_at')} desc, ${ref('id')} desc) - ${ref('items')}`.as(
            'items_before',
          ),
        ]),
    )
    .selectFrom('counted')
    .selectAll();
