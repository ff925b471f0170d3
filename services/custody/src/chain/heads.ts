/**
 * Reads and moves the heads of chains in one transaction. Chains are locked in the order of their
 * ids.
 */
import { intArray, type Transaction, textArray, uuidArray } from '@pto/database';
import { emptyHead, type Head } from './link.ts';

/** The head of an order whose chain is created or extended. */
export interface OrderHead {
  readonly orderId: string;
  readonly organizationId: string;
  readonly head: Head;
}

/**
 * Creates chains with the heads that they will have after this transaction. This costs one row
 * version per new chain instead of three (empty, locked, moved).
 * @returns the ids of the orders whose chains were created; the other chains existed already.
 */
export const beginChains = async (
  tx: Transaction,
  orders: readonly OrderHead[],
): Promise<ReadonlySet<string>> => {
  if (orders.length === 0) return new Set();
  const sorted = orders.toSorted((a, b) => (a.orderId < b.orderId ? -1 : 1));
  const rows = await tx.query<{ order_id: string }>(
    `insert into chains (order_id, organization_id, sequence, head_hash)
     select * from unnest($1::uuid[], $2::uuid[], $3::int[], $4::text[])
     on conflict (order_id) do nothing returning order_id`,
    [
      uuidArray(sorted.map(({ orderId }) => orderId)),
      uuidArray(sorted.map(({ organizationId }) => organizationId)),
      intArray(sorted.map(({ head }) => head.sequence)),
      textArray(sorted.map(({ head }) => head.hash)),
    ],
  );
  return new Set(rows.map((row) => row.order_id));
};

/**
 * Locks chains. Missing chains are created without an entry first: the insert waits for a
 * concurrent transaction that creates the same chain.
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
  const rows = await tx.query<{ order_id: string; sequence: number; head_hash: string }>(
    `select order_id, sequence, head_hash from chains
     where order_id = any ($1::uuid[]) order by order_id for update`,
    [uuidArray(orderIds)],
  );
  return new Map(
    rows.map((row) => [row.order_id, { sequence: row.sequence, hash: row.head_hash }]),
  );
};

/** Moves the heads of locked chains. */
export const saveHeads = async (
  tx: Transaction,
  heads: ReadonlyMap<string, Head>,
): Promise<void> => {
  if (heads.size === 0) return;
  const moved = [...heads.values()];
  await tx.query(
    `update chains c set sequence = h.sequence, head_hash = h.head_hash
     from unnest($1::uuid[], $2::int[], $3::text[]) as h (order_id, sequence, head_hash)
     where c.order_id = h.order_id`,
    [
      uuidArray([...heads.keys()]),
      intArray(moved.map(({ sequence }) => sequence)),
      textArray(moved.map(({ hash }) => hash)),
    ],
  );
};
