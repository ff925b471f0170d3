import { type Database, isoMillis, type Sql } from '@pto/database';
import type { Order } from '@pto/proto/orders/v1/orders';
import { settled } from './change-time.ts';
import { readCursor, writeCursor } from './cursor.ts';
import { selectOrders } from './order-row.ts';
import { type OrderFilters, pageStatements } from './orders-page.ts';

export interface OrderQuery extends OrderFilters {
  /** 1..100. */
  readonly limit: number;
  readonly cursor?: string | undefined;
}

export interface OrderPage {
  readonly orders: Order[];
  readonly nextCursor: string | undefined;
  /**
   * On the first page of a list by `updatedSince`: whoever asks for the changes since then has
   * missed none. `YYYY-MM-DDTHH:mm:ss.sssZ`.
   */
  readonly asOf: string | undefined;
}

/**
 * A page of an organisation's orders by (created_at, id) descending (contract 4.3).
 * @throws Failure VALIDATION for a cursor that is forged or of another list (decision 13)
 */
export const listOrders = async (
  db: Database,
  cursorKey: Buffer,
  query: OrderQuery,
): Promise<OrderPage> => {
  const { organizationId, updatedSince, cursor } = query;
  if (updatedSince === undefined || cursor !== undefined)
    return { ...(await readPage(db, cursorKey, query)), asOf: undefined };
  return db.transaction(async (tx) => {
    const asOf = isoMillis(await settled(tx, organizationId));
    return { ...(await readPage(tx, cursorKey, query)), asOf };
  });
};

const readPage = async (sql: Sql, cursorKey: Buffer, query: OrderQuery) => {
  const { organizationId, status, externalId, updatedSince, limit } = query;
  const filters = [organizationId, status, externalId, updatedSince];
  const after =
    query.cursor === undefined ? undefined : readCursor(cursorKey, filters, query.cursor);
  const found: Awaited<ReturnType<typeof selectOrders>> = [];
  for (const statement of pageStatements(query, after)) {
    // one more than asked for tells whether the list goes on
    const { rest, parameters } = statement(limit + 1 - found.length);
    found.push(...(await selectOrders(sql, rest, parameters)));
    if (found.length > limit) break;
  }
  const shown = found.slice(0, limit);
  const last = found.length > limit ? shown.at(-1) : undefined;
  return {
    orders: shown.map(({ order }) => order),
    nextCursor:
      last &&
      writeCursor(cursorKey, filters, { createdAt: last.createdAtMicros, id: last.order.id }),
  };
};
