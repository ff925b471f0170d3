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

const insertMissing = insertAll(tables, 'chains', (insert) =>
  insert.onConflict((conflict) => conflict.column('order_id').doNothing()),
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
 * Locks the chains of orders and returns their heads, by order id. A missing chain is created
 * without an entry; the insert waits for a concurrent transaction that creates the same chain.
 * @param organizations the orders' organization ids, by order id.
 */
export const lockHeads = async (
  tx: Transaction,
  organizations: ReadonlyMap<string, string>,
): Promise<Map<string, Head>> => {
  const orderIds = [...organizations.keys()].sort();
  const empty = orderIds.map((orderId) => ({
    order_id: orderId,
    organization_id: organizations.get(orderId)!,
    sequence: 0,
    head_hash: emptyHead(orderId).hash,
  }));
  await insertMissing(tx.pipelined, empty);
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
