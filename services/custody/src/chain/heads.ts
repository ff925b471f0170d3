/** The chains' heads, as one transaction reads and moves them. Orders are locked by their ids. */
import { intArray, type Transaction, textArray, uuidArray } from '@pto/database';
import { emptyHead, type Head } from './link.ts';

/** Of an order whose chain begins or continues. */
export interface OrderHead {
  readonly orderId: string;
  readonly organizationId: string;
  readonly head: Head;
}

/**
 * Begins chains with the heads that they have after this transaction: a new chain costs one row
 * version instead of three (empty, locked, moved).
 * @returns the orders whose chains are begun; those of the others existed already.
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
 * Locks chains. Those that do not exist are begun without an entry, so that a transaction which
 * begins one at the moment is waited for.
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
