import { create } from '@bufbuild/protobuf';
import { createBatches } from '@pto/concurrency';
import { bulkStatement, execute, type Placeholders, type Sql, statement } from '@pto/database';
import { type Disclosure, DisclosureSchema } from '@pto/proto/orders/v1/orders';
import { tables } from '../schema/tables.ts';
import { orderNotFound } from './order-not-found.ts';
import { type OrderSource, orderColumns, type StoredOrder, withLocations } from './stored-order.ts';

/** An order, and the organization that must have it. */
export interface OrderKey {
  readonly organizationId: string;
  readonly orderId: string;
}

const selectOrders = bulkStatement(
  { organization_id: 'uuid', id: 'uuid' },
  (rows, { itemsMax }: Placeholders<{ itemsMax: number }>) =>
    orderColumns
      .innerJoin(rows('r'), (join) =>
        join.onRef('r.organization_id', '=', 'o.organization_id').onRef('r.id', '=', 'o.id'),
      )
      .select(({ cast }) => cast<string>('o.items', 'text').as('items'))
      .where('o.item_count', '<=', itemsMax),
);

/** Reads the orders that have at most `itemsMax` items. */
const readOrders = async (source: OrderSource, keys: readonly OrderKey[], itemsMax: number) => {
  const rows = keys.map(({ organizationId, orderId }) => ({
    organization_id: organizationId,
    id: orderId,
  }));
  return withLocations(source, await selectOrders(source.sql, rows, { itemsMax }));
};

/** No limit of items: PostgreSQL's largest int. */
export const anyItems = 2 ** 31 - 1;

/**
 * Reads one order. The order of another organization counts as missing (decision 21).
 * @throws Failure NOT_FOUND
 */
export const getOrder = async (source: OrderSource, key: OrderKey): Promise<StoredOrder> => {
  const [stored] = await readOrders(source, [key], anyItems);
  if (!stored) throw orderNotFound();
  return stored;
};

const selectSequence = statement((given: Placeholders<OrderKey>) =>
  tables
    .selectFrom('orders as o')
    .leftJoin('disclosures as d', (join) =>
      join.onRef('d.organization_id', '=', 'o.organization_id').onRef('d.order_id', '=', 'o.id'),
    )
    .select(['o.sequence', 'd.sequence as entry', 'd.field', 'd.value', 'd.salt'])
    .where('o.organization_id', '=', given.organizationId)
    .where('o.id', '=', given.orderId)
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
  key: OrderKey,
): Promise<{ sequence: number; disclosures: Disclosure[] }> => {
  const rows = await selectSequence(sql, key);
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
export const getDisclosures = async (
  sql: Sql,
  { organizationId, orderId }: OrderKey,
): Promise<Disclosure[]> => {
  const rows = await execute(
    sql,
    tables
      .selectFrom('disclosures')
      .select(['sequence as entry', 'field', 'value', 'salt'])
      .where('organization_id', '=', organizationId)
      .where('order_id', '=', orderId)
      .orderBy('sequence')
      .orderBy('field'),
  );
  return rows.flatMap(toDisclosure);
};

/** Returns the operators whose commands made custody entries of an order, by entry. */
export const getEntryOperators = (sql: Sql, { organizationId, orderId }: OrderKey) =>
  execute(
    sql,
    tables
      .selectFrom('entry_operators')
      .select(['sequence as entry', 'operator as name'])
      .where('organization_id', '=', organizationId)
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
export const sharedGetOrder = (source: OrderSource): ((key: OrderKey) => Promise<StoredOrder>) => {
  const find = createBatches<OrderKey, StoredOrder | undefined>(
    async (keys) => {
      const once = [...new Map(keys.map((key) => [nameOf(key), key])).values()];
      const stored = await readOrders(source, once, sharedItemsMax);
      const found = new Map(
        stored.map((one) => [nameOf({ ...one.order, orderId: one.order.id }), one]),
      );
      return (key) => found.get(nameOf(key));
    },
    { inFlightMax: 2, batchMax: 64 },
  );
  return async (key) => (await find(key)) ?? getOrder(source, key);
};

const nameOf = ({ organizationId, orderId }: OrderKey): string => `${organizationId} ${orderId}`;
