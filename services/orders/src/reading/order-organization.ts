import { execute, type Sql } from '@pto/database';
import { tables } from '../schema/tables.ts';
import { orderNotFound } from './order-not-found.ts';

/** Returns the organization of an order; undefined: the order does not exist. */
export type OrganizationOf = (orderId: string) => string | undefined;

/**
 * Reads the organizations of orders, for operators and the auditor, who have ids of orders alone.
 * @param orderIds UUIDs; capital letters are the same as small ones.
 */
export const organizationsOf = async (
  sql: Sql,
  orderIds: readonly string[],
  isMovedIncluded = false,
): Promise<OrganizationOf> => {
  if (orderIds.length === 0) return () => undefined;
  const present = tables
    .selectFrom('orders')
    .select(['id', 'organization_id'])
    .where(({ eb, fn, val }) => eb('id', '=', fn.any(val([...orderIds]))));
  const moved = tables
    .selectFrom('moved_orders')
    .select(['order_id as id', 'organization_id'])
    .where(({ eb, fn, val }) => eb('order_id', '=', fn.any(val([...orderIds]))));
  const rows = await execute(sql, isMovedIncluded ? moved.unionAll(present) : present);
  const found = new Map(rows.map((row) => [row.id, row.organization_id]));
  return (orderId) => found.get(orderId.toLowerCase());
};

/**
 * Reads the organizations of orders as `organizationsOf` does, also of orders whose organization has
 * left this cell: the ledger of this cell keeps their entries.
 */
export const recordedOrganizationsOf = (
  sql: Sql,
  orderIds: readonly string[],
): Promise<OrganizationOf> => organizationsOf(sql, orderIds, true);

/** Returns the organization of an order. @throws Failure NOT_FOUND */
export const organizationOf = async (sql: Sql, orderId: string): Promise<string> => {
  const organizationId = (await organizationsOf(sql, [orderId]))(orderId);
  if (organizationId === undefined) throw orderNotFound();
  return organizationId;
};
