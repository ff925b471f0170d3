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
 * @param heads @param organizations the heads and the orders' organization ids, by order id.
 * @returns the ids of the orders whose chains were created.
 */
export const beginChains = async (
  tx: Transaction,
  heads: ReadonlyMap<string, Head>,
  organizations: ReadonlyMap<string, string>,
): Promise<ReadonlySet<string>> => {
  const rows = await insertChains(
    tx,
    [...heads.keys()].sort().map((orderId) => ({
      order_id: orderId,
      organization_id: organizations.get(orderId)!,
      sequence: heads.get(orderId)!.sequence,
      head_hash: heads.get(orderId)!.hash,
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
  orderIds: readonly string[],
  organizations: ReadonlyMap<string, string>,
): Promise<Map<string, Head>> => {
  const found = await lockExisting(tx, orderIds);
  const missing = orderIds.filter((orderId) => !found.has(orderId));
  if (missing.length === 0) return found;
  const empty = new Map(missing.map((orderId) => [orderId, emptyHead(orderId)]));
  await beginChains(tx, empty, organizations);
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
