import { type Expression, execute, expressionBuilder, fragment } from '@pto/database';
import { tables } from '../schema/tables.ts';
import type { Position } from './cursor.ts';
import { type OrderSource, orderColumns, type StoredOrder, withLocations } from './stored-order.ts';

/** The filters of a list of one organization's orders. An absent filter selects all values. */
export interface OrderFilters {
  readonly organizationId: string;
  readonly status?: string | undefined;
  readonly externalId?: string | undefined;
  /** Lower bound of updated_at, inclusive. */
  readonly updatedSince?: string | undefined;
}

const orders = tables.selectFrom('orders as o');
const { ref } = expressionBuilder(orders);

/** A query over `orders as o`, without columns. */
type Orders = typeof orders;

/** Selects the first orders by (created_at, id) descending, after a position. */
export type PageQuery = (after: Position | undefined, limit: number) => Orders;

const timestamp = (text: string) => fragment<string>`${text}::timestamptz`;

/**
 * Returns the queries that together read one page, the newest orders first. Most lists have one
 * query, which reads one index in order. A list by `updatedSince` without an external id has two.
 * The first reads the orders created at or after `updatedSince`, the second those created before it
 * and changed at or after it.
 */
export const pageQueries = (filters: OrderFilters): readonly PageQuery[] => {
  const { organizationId, status, externalId, updatedSince } = filters;
  const matching = orders
    .where('o.organization_id', '=', organizationId)
    .$if(status !== undefined, (query) => query.where('o.status', '=', status!))
    .$if(externalId !== undefined, (query) => query.where('o.external_id', '=', externalId!));
  const since = updatedSince === undefined ? undefined : timestamp(updatedSince);
  if (externalId !== undefined) {
    // unique: at most one row, which needs no order
    const one = matching.$if(since !== undefined, (all) => all.where('o.updated_at', '>=', since!));
    return [(after) => behind(one, after)];
  }
  if (!since) return [newest(matching)];
  return [newest(matching.where('o.created_at', '>=', since)), aliveAt(matching, since)];
};

const newest =
  (query: Orders): PageQuery =>
  (after, limit) =>
    behind(query, after).orderBy('o.created_at', 'desc').orderBy('o.id', 'desc').limit(limit);

const behind = (
  query: Orders,
  after: Position | undefined,
  createdAt: Expression<string> = ref('o.created_at'),
): Orders => {
  if (!after) return query;
  const at = timestamp(after.createdAt);
  return query.where(fragment<boolean>`(${createdAt}, ${ref('o.id')}) < (${at}, ${after.id})`);
};

/**
 * An expression that no index in the list's order matches, so that PostgreSQL uses the index over
 * the spans from creation to last change.
 */
const bySpanAlone = fragment<string>`(${ref('o.created_at')} + interval '0')`;

/** Selects the orders whose span contains a moment, and sorts them. */
const aliveAt =
  (query: Orders, since: Expression<string>): PageQuery =>
  (after, limit) => {
    const from = after ? timestamp(after.createdAt) : since;
    const alive = behind(query, after, bySpanAlone)
      .where(
        fragment<boolean>`tstzrange(${ref('o.created_at')}, ${ref('o.updated_at')}, '[]')
          @> tstzrange(least(${from}, ${since}), ${since}, '[]')`,
      )
      .where(fragment<boolean>`${bySpanAlone} < ${since}`);
    const ids = tables
      // `offset 0` prevents a plan that reads all orders in the list's order
      .selectFrom(alive.select(['o.id', 'o.created_at']).offset(fragment.lit(0)).as('alive'))
      .select('alive.id')
      .orderBy('alive.created_at', 'desc')
      .orderBy('alive.id', 'desc')
      .limit(limit);
    return orders
      .where('o.id', '=', fragment<string>`any (array ${ids})`)
      .orderBy('o.created_at', 'desc')
      .orderBy('o.id', 'desc');
  };

/**
 * Maximum number of items that one statement reads; an order with more items is read alone. An item
 * has at most 100 characters, so a statement returns at most about 2 MiB of items.
 */
export const batchItemsMax = 4000;

/**
 * Reads the first orders of a page's query, as many as have at most `batchItemsMax` items together.
 * A first order with more items is read alone.
 * @param itemsMax maximum number of items of all read orders together, also of an order that is
 *   read alone.
 * @returns orders, newest first; none if the first order has more than `itemsMax` items, or if no
 *   order is left; and whether the page's query selects more orders than were read.
 */
export const selectBatch = async (
  source: OrderSource,
  page: Orders,
  itemsMax: number,
): Promise<{ found: readonly StoredOrder[]; hasMore: boolean }> => {
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
const batchOf = (page: Orders) =>
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
