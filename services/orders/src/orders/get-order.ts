import type { Sql } from '@pto/database';
import { Failure } from '@pto/errors';
import { type StoredOrder, selectOrders } from './order-row.ts';

export const orderNotFound = (): Failure =>
  new Failure('NOT_FOUND', 'There is no such order.', { details: { resource: 'order' } });

/**
 * One order. With an organization, another's order is not found, exactly as one that does not
 * exist (decision 21); null is the operator's view.
 */
export const getOrder = async (
  sql: Sql,
  id: string,
  organizationId: string | null,
  /** Whether the items are read. */
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
