import { execute, fragment, leastUuid, type Sql } from '@pto/database';
import { type Page, rowsWith } from '@pto/moves';
import { tables } from '../schema/tables.ts';
import {
  type CopyHead,
  copiedTables,
  ordersTable,
  producedTable,
  replacedTables,
} from './copied-tables.ts';

/** Estimated size of a page in bytes; a larger order is a page of its own. */
const pageBytes = 4 * 1024 * 1024;
const pageOrders = 500;

interface Changed {
  readonly organizationId: string;
  /** Only orders that were changed at this time or later; null: all. */
  readonly changedSince: string | null;
  /** Only orders that were created until this time. */
  readonly createdUntil: string;
  /** Only orders with a greater id; empty: all. */
  readonly afterId: string;
}

/**
 * Reads a page of an organization's changed orders with all rows that belong to them, by id. The
 * caller's transaction has one snapshot: an order and its rows belong together.
 * @returns null behind the last order.
 */
export const readChangedOrders = async (
  sql: Sql,
  changed: Changed,
): Promise<Page<Extract<CopyHead, { kind: 'orders' }>> | null> => {
  const { organizationId } = changed;
  const listed = await execute(sql, selectSizes(changed));
  if (listed.length === 0) return null;
  let bytes = 0;
  const page = listed.filter((order, n) => {
    bytes += order.bytes;
    return n === 0 || bytes <= pageBytes;
  });
  const orderIds = page.map(({ id }) => id);
  const locationIds = [...new Set(page.flatMap(({ pickup, dropoff }) => [pickup, dropoff]))];
  const rows = new Map<string, string>();
  const read = async (name: string, column: string, ids: readonly string[]) => {
    rows.set(name, await rowsWith(sql, name, { organizationId, column, ids }));
  };
  await read(copiedTables.locations.name, 'id', locationIds);
  await read(ordersTable.name, 'id', orderIds);
  for (const { name } of [producedTable, ...replacedTables]) await read(name, 'order_id', orderIds);
  return { head: { kind: 'orders', orderIds }, rows };
};

/** Selects the changed orders, each with an estimate of its rows' bytes in a page. */
const selectSizes = (changed: Changed) =>
  tables
    .with(
      (cte) => cte('listed').materialized(),
      () => selectIds(changed).orderBy('id').limit(pageOrders),
    )
    .selectFrom('listed')
    .innerJoin('orders as o', 'o.id', 'listed.id')
    .select(['o.id', 'o.pickup_location_id as pickup', 'o.dropoff_location_id as dropoff'])
    .select(({ ref, selectFrom }) => {
      const values = selectFrom('disclosures as d')
        .select(({ fn }) => fn.sum<number>(fragment<number>`octet_length(d.value) + 300`).as('sum'))
        .whereRef('d.organization_id', '=', 'o.organization_id')
        .whereRef('d.order_id', '=', 'o.id');
      return fragment<number>`(3000 + 2 * pg_column_size(${ref('o.items')})
        + 500 * ${ref('o.sequence')} + coalesce(${values}, 0))::float8`.as('bytes');
    })
    .where('o.organization_id', '=', changed.organizationId)
    .orderBy('o.id');

/**
 * Selects the ids of changed orders. Those that are older than the time of the change have a span
 * from their creation to their last change that contains it (index `orders_alive_at`).
 */
const selectIds = ({ organizationId, changedSince, createdUntil, afterId }: Changed) => {
  const orders = tables
    .selectFrom('orders')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', '>', afterId || leastUuid)
    .where('created_at', '<=', createdUntil);
  if (changedSince === null) return orders;
  const span = fragment<boolean>`tstzrange(created_at, updated_at, '[]') @> ${changedSince}::timestamptz`;
  return orders.where('created_at', '>=', changedSince).union(orders.where(span));
};
