import { execute, type Sql } from '@pto/database';
import { tables } from '../schema/tables.ts';
import { orderNotFound } from './order-not-found.ts';

/**
 * Returns the organizations of orders, for operators and the auditor, who have ids of orders alone.
 * An order that does not exist is absent.
 */
export const organizationsOf = async (
  sql: Sql,
  orderIds: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  if (orderIds.length === 0) return new Map();
  const rows = await execute(
    sql,
    tables
      .selectFrom('orders')
      .select(['id', 'organization_id'])
      .where(({ eb, fn, val }) => eb('id', '=', fn.any(val([...orderIds])))),
  );
  return new Map(rows.map((row) => [row.id, row.organization_id]));
};

/** Returns the organization of an order. @throws Failure NOT_FOUND */
export const organizationOf = async (sql: Sql, orderId: string): Promise<string> => {
  const organizationId = (await organizationsOf(sql, [orderId])).get(orderId);
  if (organizationId === undefined) throw orderNotFound();
  return organizationId;
};
