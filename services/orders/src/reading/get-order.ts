import { create } from '@bufbuild/protobuf';
import { createBatches } from '@pto/concurrency';
import {
  type ArrayOf,
  anyOf,
  execute,
  type Given,
  type Sql,
  statement,
  uuidArray,
} from '@pto/database';
import { Failure } from '@pto/errors';
import { type Disclosure, DisclosureSchema } from '@pto/proto/orders/v1/orders';
import { tables } from '../schema/tables.ts';
import { type OrderSource, orderColumns, type StoredOrder, withLocations } from './stored-order.ts';

export const orderNotFound = (): Failure =>
  new Failure('NOT_FOUND', 'There is no such order.', { details: { resource: 'order' } });

const selectOrders = statement(
  ({ ids, itemsMax }: Given<{ ids: ArrayOf<string>; itemsMax: number }>) =>
    orderColumns
      .select(({ cast }) => cast<string>('o.items', 'text').as('items'))
      .where('o.id', '=', anyOf(ids))
      .where('o.item_count', '<=', itemsMax),
);

/** Reads the orders that have at most `itemsMax` items. */
const readOrders = async (source: OrderSource, ids: readonly string[], itemsMax: number) =>
  withLocations(source, await selectOrders(source.sql, { ids: uuidArray(ids), itemsMax }));

/** No limit of items: PostgreSQL's largest int. */
export const anyItems = 2 ** 31 - 1;

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
  const [stored] = await readOrders(source, [id], anyItems);
  return visible(stored, organizationId);
};

const visible = (stored: StoredOrder | undefined, organizationId: string | null): StoredOrder => {
  if (!stored) throw orderNotFound();
  const isOwn = stored.order.organizationId === organizationId;
  if (!isOwn && organizationId !== null) throw orderNotFound();
  return stored;
};

const selectSequence = statement((given: Given<{ id: string; organizationId: string }>) =>
  tables
    .selectFrom('orders as o')
    .leftJoin('disclosures as d', 'd.order_id', 'o.id')
    .select(['o.sequence', 'd.sequence as entry', 'd.field', 'd.value', 'd.salt'])
    .where('o.id', '=', given.id)
    .where('o.organization_id', '=', given.organizationId)
    .orderBy('d.sequence')
    .orderBy('d.field'),
);

/**
 * Returns the number of the last event of an organization's order, without its items, and the
 * disclosed values of its custody entries, in one snapshot: a value that is absent was erased by
 * one of these events.
 * @throws Failure NOT_FOUND
 */
export const getSequence = async (
  sql: Sql,
  id: string,
  organizationId: string,
): Promise<{ sequence: number; disclosures: Disclosure[] }> => {
  const rows = await selectSequence(sql, { id, organizationId });
  if (!rows[0]) throw orderNotFound();
  return { sequence: rows[0].sequence, disclosures: rows.flatMap(toDisclosure) };
};

const toDisclosure = (row: {
  entry: number | null;
  field: string | null;
  value: string | null;
  salt: string | null;
}): Disclosure[] => {
  const { entry, field, value, salt } = row;
  if (entry === null) return [];
  return [create(DisclosureSchema, { entry, field: field!, valueJson: value!, salt: salt! })];
};

/** Returns the disclosed values of an order's custody entries. */
export const getDisclosures = async (sql: Sql, orderId: string): Promise<Disclosure[]> => {
  const rows = await execute(
    sql,
    tables
      .selectFrom('disclosures')
      .select(['sequence as entry', 'field', 'value', 'salt'])
      .where('order_id', '=', orderId)
      .orderBy('sequence')
      .orderBy('field'),
  );
  return rows.flatMap(toDisclosure);
};

/** Returns the operators whose commands made custody entries of an order, by entry. */
export const getEntryOperators = (sql: Sql, orderId: string) =>
  execute(
    sql,
    tables
      .selectFrom('entry_operators')
      .select(['sequence as entry', 'operator as name'])
      .where('order_id', '=', orderId)
      .orderBy('sequence'),
  );

/**
 * Maximum number of items of an order that a shared statement reads. A larger order is read by its
 * own statement, so that it does not delay other reads.
 */
const sharedItemsMax = 100;

/**
 * Returns a function that reads one order for an organization, as `getOrder` does. Concurrent calls
 * share a statement, because planning, a round trip and a transaction cost more than reading a row.
 */
export const sharedGetOrder = (
  source: OrderSource,
): ((id: string, organizationId: string) => Promise<StoredOrder>) => {
  const find = createBatches<string, StoredOrder | undefined>(
    async (ids) => {
      const stored = await readOrders(source, ids, sharedItemsMax);
      const byId = new Map(stored.map((one) => [one.order.id, one]));
      return (id) => byId.get(id);
    },
    { inFlightMax: 2, batchMax: 64 },
  );
  return async (id, organizationId) => {
    const stored = await find(id);
    return stored ? visible(stored, organizationId) : getOrder(source, id, organizationId);
  };
};
