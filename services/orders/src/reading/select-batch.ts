import { execute, fragment } from '@pto/database';
import { tables } from '../schema/orders-database.ts';
import type { Position } from './cursor.ts';
import { type OrderFilters, type PageQuery, pageStatements } from './orders-page.ts';
import { batchItemsMax } from './page-size.ts';
import { type OrderSource, orderColumns, type StoredOrder, withLocations } from './stored-order.ts';

export interface OrderBatch {
  /**
   * Orders, newest first. Empty if the first order has more than `itemsMax` items, or if no order
   * is left.
   */
  readonly found: readonly StoredOrder[];
  /** Whether the page's query selects more orders than were read. */
  readonly hasMore: boolean;
}

/** One of the statements of a page (`pageStatements`). */
export interface PagePart {
  readonly filters: OrderFilters;
  readonly after: Position | undefined;
  /** Index of the statement. */
  readonly part: number;
}

/**
 * Reads the first orders of a part of a page, as many as have at most `batchItemsMax` items
 * together. A first order with more items is read alone.
 * @param rowsMax maximum number of orders.
 * @param itemsMax maximum number of items of all read orders together, also of an order that is
 *   read alone.
 */
export const selectBatch = async (
  source: OrderSource,
  { filters, after, part }: PagePart,
  rowsMax: number,
  itemsMax: number,
): Promise<OrderBatch> => {
  const page = pageStatements(filters, after)[part]!(rowsMax);
  const batchMax = Math.min(itemsMax, batchItemsMax);
  const selected = await execute(
    source.sql,
    orderColumns
      .innerJoin(batchOf(page).as('batch'), 'batch.id', 'o.id')
      .select('batch.matched')
      // the first order is selected in any case, without its items if they are too many
      .select(({ ref }) =>
        fragment<string | null>`case when ${ref('batch.items')} <= ${itemsMax}
          then ${ref('o.items')}::text end`.as('items'),
      )
      .where(({ eb, lit, or, ref }) => {
        const items = fragment<number>`${ref('batch.items_before')} + ${ref('batch.items')}`;
        return or([eb(items, '<=', batchMax), eb('batch.items_before', '=', lit(0))]);
      })
      .orderBy('o.created_at', 'desc')
      .orderBy('o.id', 'desc'),
  );
  const rows = selected.flatMap(({ items, ...row }) => (items === null ? [] : [{ ...row, items }]));
  return {
    found: await withLocations(source, rows),
    hasMore: (selected[0]?.matched ?? 0) > rows.length,
  };
};

/**
 * Selects a page's orders, each with the number of its items and of the items of the orders before
 * it, and with the number of all orders of the page (`matched`).
 */
const batchOf = (page: PageQuery) =>
  tables
    .with(
      (cte) => cte('listed').materialized(),
      () => page.select(['o.id', 'o.created_at', 'o.item_count as items']),
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
