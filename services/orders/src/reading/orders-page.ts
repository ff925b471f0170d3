import { type Expression, execute, expressionBuilder, fragment } from '@pto/database';
import { tables } from '../schema/tables.ts';
import type { Position } from './cursor.ts';
import {
  listFilters,
  type OrderSource,
  orderColumns,
  type StoredOrder,
  withLocations,
} from './stored-order.ts';

type FilterName = keyof typeof listFilters;

/** The filters of a list of one organization's orders. An absent filter selects all values. */
export interface OrderFilters extends Partial<Record<FilterName, string | undefined>> {
  readonly organizationId: string;
  /** Lower bound of updated_at, inclusive. */
  readonly updatedSince?: string | undefined;
}

type After = Position | undefined;

const orders = tables.selectFrom('orders as o');
const { ref } = expressionBuilder(orders);

/** A query over `orders as o`, without columns. */
export type PageQuery = typeof orders;

/**
 * Returns the filters to which a cursor belongs (decision 13). A filter that a later version adds
 * is part of the result only if the request has this filter. So the cursors of the version before
 * stay valid.
 */
export const cursorFilters = (filters: OrderFilters): (string | undefined)[] => {
  const { organizationId, status, externalId, updatedSince } = filters;
  const { status: _status, externalId: _externalId, ...more } = listFilters;
  const given = (Object.keys(more) as (keyof typeof more)[]).flatMap((name) =>
    filters[name] === undefined ? [] : [name, filters[name]],
  );
  return [organizationId, status, externalId, updatedSince, ...given];
};

type Made = 'ever' | 'since' | 'before';

const madeOf = ({ updatedSince, externalId }: OrderFilters): readonly Made[] =>
  updatedSince !== undefined && externalId === undefined ? ['since', 'before'] : ['ever'];

/** Returns the number of statements of a page (`pageQuery`). */
export const partsOf = (filters: OrderFilters): number => madeOf(filters).length;

/**
 * Returns one of the statements that together read one page by (created_at, id) descending, after a
 * position. Most lists have one statement, which reads one index in order. A list by `updatedSince`
 * without an external id has two statements. The first reads the orders created at or after
 * `updatedSince`. The second reads the orders created before it and changed at or after it: an
 * index over the spans from creation to last change finds these orders, and PostgreSQL sorts them.
 */
export const pageQuery = ({ filters, after, part }: PagePart, limit: number): PageQuery => {
  const made = madeOf(filters)[part]!;
  const matching = conditions(filters, after, made).reduce(
    (query, condition) => query.where(condition),
    orders.where('o.organization_id', '=', filters.organizationId),
  );
  if (filters.externalId !== undefined) return matching; // unique: at most one row
  if (made !== 'before')
    return matching.orderBy('o.created_at', 'desc').orderBy('o.id', 'desc').limit(limit);
  const alive = tables
    // `offset 0` prevents a plan that reads all orders in the list's order
    .selectFrom(matching.select(['o.id', 'o.created_at']).offset(fragment.lit(0)).as('alive'))
    .select('alive.id')
    .orderBy('alive.created_at', 'desc')
    .orderBy('alive.id', 'desc')
    .limit(limit);
  return orders
    .where('o.id', '=', fragment<string>`any (array ${alive})`)
    .orderBy('o.created_at', 'desc')
    .orderBy('o.id', 'desc');
};

const timestamp = (text: string) => fragment<string>`${text}::timestamptz`;

/**
 * Returns the conditions of the filters and of the position. The caller adds the organization's.
 */
const conditions = (filters: OrderFilters, after: After, made: Made): Expression<boolean>[] => {
  const equal = (Object.keys(listFilters) as FilterName[]).flatMap((name) => {
    const value = filters[name];
    return value === undefined
      ? []
      : [fragment<boolean>`${ref(`o.${listFilters[name]}`)} = ${value}`];
  });
  const at = after && timestamp(after.createdAt);
  const since = filters.updatedSince === undefined ? undefined : timestamp(filters.updatedSince);
  const createdAt = made === 'before' ? bySpanAlone : ref('o.created_at');
  return [
    ...equal,
    ...(since ? changedSince[made](since, at ?? since) : []),
    ...(after ? [fragment<boolean>`(${createdAt}, ${ref('o.id')}) < (${at}, ${after.id})`] : []),
  ];
};

/**
 * An expression that no index in the list's order matches, so that PostgreSQL uses the index over
 * spans.
 */
const bySpanAlone = fragment<string>`(${ref('o.created_at')} + interval '0')`;

/**
 * Returns the conditions for orders changed at or after `since`. `at` is the creation time of the
 * order after which the page begins, or `since` on the first page.
 */
const changedSince: Readonly<
  Record<Made, (since: Expression<string>, at: Expression<string>) => Expression<boolean>[]>
> = {
  ever: (since) => [fragment`${ref('o.updated_at')} >= ${since}`],
  since: (since) => [fragment`${ref('o.created_at')} >= ${since}`],
  before: (since, at) => [
    fragment`tstzrange(${ref('o.created_at')}, ${ref('o.updated_at')}, '[]')
      @> tstzrange(least(${at}, ${since}), ${since}, '[]')`,
    fragment`${bySpanAlone} < ${since}`,
  ],
};

/** One of the statements of a page (`pageQuery`). */
export interface PagePart {
  readonly filters: OrderFilters;
  readonly after: Position | undefined;
  /** Index of the statement. */
  readonly part: number;
}

/**
 * Maximum number of items that one statement reads; an order with more items is read alone. An item
 * has at most 100 characters, so a statement returns at most about 2 MiB of items.
 */
export const batchItemsMax = 4000;

/**
 * Reads the first orders of a part of a page, as many as have at most `batchItemsMax` items
 * together. A first order with more items is read alone.
 * @param rowsMax maximum number of orders.
 * @param itemsMax maximum number of items of all read orders together, also of an order that is
 *   read alone.
 * @returns orders, newest first; none if the first order has more than `itemsMax` items, or if no
 *   order is left; and whether the page's query selects more orders than were read.
 */
export const selectBatch = async (
  source: OrderSource,
  page: PagePart,
  rowsMax: number,
  itemsMax: number,
): Promise<{ found: readonly StoredOrder[]; hasMore: boolean }> => {
  const batchMax = Math.min(itemsMax, batchItemsMax);
  const selected = await execute(
    source.sql,
    orderColumns
      .innerJoin(batchOf(pageQuery(page, rowsMax)).as('batch'), 'batch.id', 'o.id')
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
