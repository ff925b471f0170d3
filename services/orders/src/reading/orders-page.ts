import { type Expression, expressionBuilder, fragment } from '@pto/database';
import { tables } from '../schema/tables.ts';
import type { Position } from './cursor.ts';

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

/** A value, or its place in a statement that is built once. */
export type Valued<T> = { readonly [Name in keyof T]: T[Name] | Expression<NonNullable<T[Name]>> };

/** A query over `orders as o`, without columns. */
export type Orders = typeof orders;

/** Selects the first orders by (created_at, id) descending, after a position. */
export type PageQuery = (
  after: Valued<Position> | undefined,
  limit: number | Expression<number>,
) => Orders;

const timestamp = (text: string | Expression<string>) => fragment<string>`${text}::timestamptz`;

/**
 * Returns the queries that together read one page, the newest orders first. Most lists have one
 * query, which reads one index in order. A list by `updatedSince` without an external id has two.
 * The first reads the orders created at or after `updatedSince`, the second those created before it
 * and changed at or after it.
 */
export const pageQueries = (filters: Valued<OrderFilters>): readonly PageQuery[] => {
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
  return [
    newest(matching.where('o.created_at', '>=', since)),
    aliveAt(matching, organizationId, since),
  ];
};

const newest =
  (query: Orders): PageQuery =>
  (after, limit) =>
    behind(query, after).orderBy('o.created_at', 'desc').orderBy('o.id', 'desc').limit(limit);

const behind = (
  query: Orders,
  after: Valued<Position> | undefined,
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
  (
    query: Orders,
    organizationId: Valued<OrderFilters>['organizationId'],
    since: Expression<string>,
  ): PageQuery =>
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
      .where('o.organization_id', '=', organizationId)
      .where('o.id', '=', fragment<string>`any (array ${ids})`)
      .orderBy('o.created_at', 'desc')
      .orderBy('o.id', 'desc');
  };
