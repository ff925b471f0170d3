/**
 * Reads and moves the heads of chains in one transaction. Chains are locked in the order of their
 * ids.
 */
import {
  type ArrayOf,
  anyOf,
  type Given,
  insertAll,
  overRows,
  statement,
  type Transaction,
  uuidArray,
} from '@pto/database';
import { tables } from '../schema/ledger-database.ts';
import { emptyHead, type Head } from './link.ts';

/** The head of an order whose chain is created or extended. */
export interface OrderHead {
  readonly orderId: string;
  readonly organizationId: string;
  readonly head: Head;
}

const insertChains = insertAll(tables, 'chains', (insert) =>
  insert.onConflict((conflict) => conflict.column('order_id').doNothing()).returning('order_id'),
);

const selectLocked = statement((given: Given<{ orderIds: ArrayOf<string> }>) =>
  tables
    .selectFrom('chains')
    .select(['order_id', 'sequence', 'head_hash'])
    .where('order_id', '=', anyOf(given.orderIds))
    .orderBy('order_id')
    .forUpdate(),
);

const updateHeads = overRows({ order_id: 'uuid', sequence: 'int', head_hash: 'text' }, (rows) =>
  tables
    .updateTable('chains as c')
    .from(rows('h'))
    .set(({ ref }) => ({ sequence: ref('h.sequence'), head_hash: ref('h.head_hash') }))
    .whereRef('c.order_id', '=', 'h.order_id'),
);

/**
 * Creates chains, each with the head that it will have at the end of this transaction. This costs
 * one row version per new chain instead of three (empty, locked, moved). Chains that exist already
 * are not changed.
 * @returns the ids of the orders whose chains were created.
 */
export const beginChains = async (
  tx: Transaction,
  orders: readonly OrderHead[],
): Promise<ReadonlySet<string>> => {
  const sorted = orders.toSorted((a, b) => (a.orderId < b.orderId ? -1 : 1));
  const rows = await insertChains(
    tx,
    sorted.map(({ orderId, organizationId, head }) => ({
      order_id: orderId,
      organization_id: organizationId,
      sequence: head.sequence,
      head_hash: head.hash,
    })),
  );
  return new Set(rows.map((row) => row.order_id));
};

/**
 * Locks chains and returns their heads, by order id. A missing chain is created without an entry
 * before it is locked: the insert waits for a concurrent transaction that creates the same chain.
 * @param organizations the orders' organization ids, by order id.
 */
export const lockHeads = async (
  tx: Transaction,
  organizations: ReadonlyMap<string, string>,
): Promise<Map<string, Head>> => {
  const orderIds = [...organizations.keys()].sort();
  if (orderIds.length === 0) return new Map();
  const found = await lockExisting(tx, orderIds);
  const missing = orderIds.filter((orderId) => !found.has(orderId));
  if (missing.length === 0) return found;
  await beginChains(
    tx,
    missing.map((orderId) => ({
      orderId,
      organizationId: organizations.get(orderId)!,
      head: emptyHead(orderId),
    })),
  );
  return lockExisting(tx, orderIds);
};

const lockExisting = async (
  tx: Transaction,
  orderIds: readonly string[],
): Promise<Map<string, Head>> => {
  const rows = await selectLocked(tx, { orderIds: uuidArray(orderIds) });
  return new Map(
    rows.map((row) => [row.order_id, { sequence: row.sequence, hash: row.head_hash }]),
  );
};

/** Stores the new heads of locked chains, by order id. */
export const saveHeads = async (
  tx: Transaction,
  heads: ReadonlyMap<string, Head>,
): Promise<void> => {
  if (heads.size === 0) return;
  const rows = [...heads].map(([order_id, { sequence, hash }]) => ({
    order_id,
    sequence,
    head_hash: hash,
  }));
  await updateHeads(tx.pipelined, rows);
};
