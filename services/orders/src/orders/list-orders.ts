import type { Sql } from '@pto/database';
import type { Order } from '@pto/proto/orders/v1/orders';
import { readCursor, writeCursor } from './cursor.ts';
import { selectOrders } from './order-row.ts';

export interface OrderQuery {
  readonly organizationId: string;
  /** 1..100. */
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly status?: string | undefined;
  readonly externalId?: string | undefined;
  /** Inclusive. */
  readonly updatedSince?: string | undefined;
}

/** A page of an organisation's orders by (created_at, id) descending, by keyset (contract 4.3). */
export const listOrders = async (
  sql: Sql,
  cursorKey: Buffer,
  query: OrderQuery,
): Promise<{ orders: Order[]; nextCursor: string | undefined }> => {
  const { organizationId, status, externalId, updatedSince } = query;
  const filters = [organizationId, status, externalId, updatedSince];
  const conditions = ['o.organization_id = $1'];
  const parameters: unknown[] = [organizationId];
  const add = (condition: (placeholder: string) => string, value: unknown) => {
    parameters.push(value);
    conditions.push(condition(`$${parameters.length}`));
  };
  if (status !== undefined) add((p) => `o.status = ${p}`, status);
  if (externalId !== undefined) add((p) => `o.external_id = ${p}`, externalId);
  if (updatedSince !== undefined) add((p) => `o.updated_at >= ${p}`, updatedSince);
  if (query.cursor !== undefined) {
    const { createdAt, id } = readCursor(cursorKey, filters, query.cursor);
    parameters.push(createdAt, id);
    const at = parameters.length - 1;
    conditions.push(`(o.created_at, o.id) < ($${at}, $${at + 1})`);
  }
  parameters.push(query.limit + 1);
  const found = await selectOrders(
    sql,
    `where ${conditions.join(' and ')}
     order by o.created_at desc, o.id desc limit $${parameters.length}`,
    parameters,
  );
  const page = found.slice(0, query.limit);
  const last = found.length > query.limit ? page.at(-1) : undefined;
  return {
    orders: page.map(({ order }) => order),
    nextCursor:
      last &&
      writeCursor(cursorKey, filters, { createdAt: last.createdAtMicros, id: last.order.id }),
  };
};
