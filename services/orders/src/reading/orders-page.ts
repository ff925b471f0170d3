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
  /** A pattern of ILIKE for the external id. */
  readonly reference?: string | undefined;
  /** The last order that the page reads, if it has a `reference`. */
  readonly lastAt?: string | undefined;
  readonly lastId?: string | undefined;
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
  const { organizationId, status, externalId, updatedSince, reference, lastAt, lastId } = filters;
  const matching = orders
    .where('o.organization_id', '=', organizationId)
    .$if(status !== undefined, (query) => query.where('o.status', '=', status!))
    .$if(externalId !== undefined, (query) => query.where('o.external_id', '=', externalId!))
    .$if(reference !== undefined, (query) => query.where('o.external_id', 'ilike', reference!));
  const since = updatedSince === undefined ? undefined : timestamp(updatedSince);
  if (externalId !== undefined) {
    // unique: at most one row, which needs no order
    const one = matching.$if(since !== undefined, (all) => all.where('o.updated_at', '>=', since!));
    return [(after) => behind(one, after)];
  }
  if (reference !== undefined) {
    const read = matching
      .$if(since !== undefined, (query) => query.where('o.updated_at', '>=', since!))
      .$if(lastAt !== undefined, (query) =>
        query.where(
          fragment<boolean>`(${ref('o.created_at')}, ${ref('o.id')}) >= (${timestamp(lastAt!)}, ${lastId!})`,
        ),
      );
    return [(after, limit) => byIds(organizationId, newest(read)(after, limit).select('o.id'))];
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
 * Selects the orders of some ids, newest first. Their subquery needs only columns of an index, so it
 * reads no table.
 */
const byIds = (
  organizationId: Valued<OrderFilters>['organizationId'],
  ids: Expression<{ id: string }>,
): Orders =>
  orders
    .where('o.organization_id', '=', organizationId)
    .where('o.id', '=', fragment<string>`any (array ${ids})`)
    .orderBy('o.created_at', 'desc')
    .orderBy('o.id', 'desc');

/**
 * Number of orders that a page of a list by `reference` reads: of an index alone, and with a filter
 * that reads the orders themselves. So a reference that many or no orders have costs no more.
 */
const readMax = { index: 50_000, rows: 10_000 };

/** Selects the last order that a page of a list by `reference` reads; none: it reads all others. */
export const lastRead = (
  { organizationId, status, updatedSince }: OrderFilters,
  after: Position | undefined,
) => {
  const max = status === undefined && updatedSince === undefined ? readMax.index : readMax.rows;
  const ofOrganization = orders
    .where('o.organization_id', '=', organizationId)
    .$if(status !== undefined, (query) => query.where('o.status', '=', status!));
  return newest(ofOrganization)(after, 1)
    .offset(max - 1)
    .select(['o.created_at', 'o.id']);
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
    return byIds(organizationId, ids);
  };
