import { createBatches } from '@pto/concurrency';
import {
  type ArrayOf,
  anyOf,
  type Expression,
  expressionBuilder,
  type Given,
  type Sql,
  statement,
  uuidArray,
} from '@pto/database';
import { Failure } from '@pto/errors';
import { tables } from '../schema/tables.ts';
import { type OrderSource, orderColumns, type StoredOrder, withLocations } from './stored-order.ts';

export const orderNotFound = (): Failure =>
  new Failure('NOT_FOUND', 'There is no such order.', { details: { resource: 'order' } });

const orderRows = orderColumns.select(({ cast }) => cast<string>('o.items', 'text').as('items'));

const orders = expressionBuilder(tables.selectFrom('orders as o'));

/**
 * Returns an SQL condition: the organization may see order `o`. It is true for null, an operator.
 */
export const visibleTo = (organizationId: Expression<string | null>) => {
  const id = orders.cast<string | null>(organizationId, 'uuid');
  return orders.or([orders(id, 'is', null), orders('o.organization_id', '=', id)]);
};

type Wanted = Given<{ id: string; organizationId: string | null }>;

const selectOne = statement(({ id, organizationId }: Wanted) =>
  orderRows.where('o.id', '=', id).where(visibleTo(organizationId)),
);

const selectSequence = statement(({ id, organizationId }: Wanted) =>
  tables
    .selectFrom('orders as o')
    .select('sequence')
    .where('o.id', '=', id)
    .where(visibleTo(organizationId)),
);

/**
 * Reads one order. For an organization, the order of another organization counts as missing
 * (decision 21).
 * @param organizationId null for an operator, who may see every order.
 * @throws Failure NOT_FOUND
 */
export const getOrder = async (
  source: OrderSource,
  id: string,
  organizationId: string | null,
): Promise<StoredOrder> => {
  const rows = await selectOne(source.sql, { id, organizationId });
  const [stored] = await withLocations(source, rows);
  if (!stored) throw orderNotFound();
  return stored;
};

/**
 * Returns the number of an order's last event, as `getOrder` finds the order.
 * @throws Failure NOT_FOUND
 */
export const getSequence = async (
  sql: Sql,
  id: string,
  organizationId: string,
): Promise<number> => {
  const [row] = await selectSequence(sql, { id, organizationId });
  if (!row) throw orderNotFound();
  return row.sequence;
};

/**
 * Maximum number of items of an order that a shared statement reads. A larger order is read by its
 * own statement, so that it does not delay other reads.
 */
const sharedItemsMax = 100;

const selectSmall = statement(({ ids }: Given<{ ids: ArrayOf<string> }>) =>
  orderRows
    .where('o.id', '=', anyOf(ids))
    .where(({ eb, lit }) => eb('o.item_count', '<=', lit(sharedItemsMax))),
);

/**
 * Returns a function that reads one order for an organization, as `getOrder` does. Concurrent calls
 * share a statement, because planning, a round trip and a transaction cost more than reading a row.
 */
export const sharedGetOrder = (
  source: OrderSource,
): ((id: string, organizationId: string) => Promise<StoredOrder>) => {
  const find = createBatches<string, StoredOrder | undefined>(
    async (ids) => {
      const rows = await selectSmall(source.sql, { ids: uuidArray(ids) });
      const stored = await withLocations(source, rows);
      const byId = new Map(stored.map((one) => [one.order.id, one]));
      return (id) => byId.get(id);
    },
    { inFlightMax: 2, batchMax: 64 },
  );
  return async (id, organizationId) => {
    const stored = await find(id);
    if (!stored) return getOrder(source, id, organizationId);
    if (stored.order.organizationId !== organizationId) throw orderNotFound();
    return stored;
  };
};
