import { createBatches } from '@pto/concurrency';
import { type Sql, uuidArray } from '@pto/database';
import { Failure } from '@pto/errors';
import { type StoredOrder, selectOrders } from './order-row.ts';

export const orderNotFound = (): Failure =>
  new Failure('NOT_FOUND', 'There is no such order.', { details: { resource: 'order' } });

/**
 * Reads one order. For an organization, an order of another organization does not exist (decision
 * 21); with null, as for operators, every order is visible.
 * @throws Failure NOT_FOUND
 */
export const getOrder = async (
  sql: Sql,
  id: string,
  organizationId: string | null,
  /** Whether the items are read as well. */
  items = true,
): Promise<StoredOrder> => {
  const [found] = await selectOrders(
    sql,
    'where o.id = $1 and ($2::uuid is null or o.organization_id = $2)',
    [id, organizationId],
    items,
  );
  if (!found) throw orderNotFound();
  return found;
};

/** An order with more items is read by its own statement, so that it does not delay other reads. */
const sharedItemsMax = 100;

/**
 * Returns a `getOrder` for organizations whose concurrent calls share a statement. Planning, a
 * round trip and a transaction cost more than reading a row.
 */
export const sharedGetOrder = (
  sql: Sql,
): ((id: string, organizationId: string) => Promise<StoredOrder>) => {
  const find = createBatches<string, StoredOrder | undefined>(
    async (ids) => {
      const found = await selectOrders(
        sql,
        `where o.id = any($1::uuid[]) and o.item_count <= ${sharedItemsMax}`,
        [uuidArray(ids)],
      );
      const byId = new Map(found.map((stored) => [stored.order.id, stored]));
      return (id) => byId.get(id);
    },
    { inFlightMax: 2, batchMax: 64, waitingMax: 1024 },
  );
  return async (id, organizationId) => {
    const stored = await find(id);
    if (!stored) return getOrder(sql, id, organizationId);
    if (stored.order.organizationId !== organizationId) throw orderNotFound();
    return stored;
  };
};
