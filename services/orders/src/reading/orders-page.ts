import { type Expression, expressionBuilder, fragment } from '@pto/database';
import { listFilters } from '../schema/order-columns.ts';
import { tables } from '../schema/orders-database.ts';
import type { Position } from './cursor.ts';

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

/** Returns the number of statements of a page. */
export const partsOf = (filters: OrderFilters): number => madeOf(filters).length;

/**
 * Returns the statements that together read one page by (created_at, id) descending, after a
 * position. Most lists have one statement, which reads one index in order. A list by `updatedSince`
 * without an external id has two statements. The first reads the orders created at or after
 * `updatedSince`. The second reads the orders created before it and changed at or after it: an
 * index over the spans from creation to last change finds these orders, and PostgreSQL sorts them.
 */
export const pageStatements = (
  filters: OrderFilters,
  after: After,
): ((limit: number) => PageQuery)[] => {
  return madeOf(filters).map((made) => (limit) => pageQuery(filters, after, made, limit));
};

const pageQuery = (filters: OrderFilters, after: After, made: Made, limit: number): PageQuery => {
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
