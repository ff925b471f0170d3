import { leastUuid, type Sql } from '@pto/database';
import { entryColumns } from '../chain/entry-row.ts';
import type { StoredChain, StoredEntry } from './check-chain.ts';

/**
 * Returns the order ids of the next chains, including chains with entries that have lost their head
 * row.
 */
export const nextChainIds = async (
  sql: Sql,
  afterOrderId: string,
  pageSize: number,
): Promise<string[]> => {
  const rows = await sql.query<{ order_id: string }>(
    `select order_id from (
       (select order_id from chains where order_id > $1 order by order_id limit $2)
       union
       (select distinct order_id from entries where order_id > $1 order by order_id limit $2)
     ) ids order by order_id limit $2`,
    [afterOrderId || leastUuid, pageSize],
  );
  return rows.map((row) => row.order_id);
};

type Joined = { [K in keyof StoredEntry]: StoredEntry[K] | null } & {
  readonly of: string;
  readonly head_sequence: number | null;
  readonly head_hash: string | null;
};

/**
 * Reads the chains of these orders in one snapshot. An order without any rows gets an empty chain.
 */
export const readChains = async (sql: Sql, orderIds: readonly string[]): Promise<StoredChain[]> => {
  const rows = await sql.query<Joined>(
    `select coalesce(c.id, e.order_id) as of, c.head_sequence, c.head_hash, e.*
     from (select order_id as id, sequence as head_sequence, head_hash from chains
       where order_id = any ($1)) c
     full join (select ${entryColumns},
         (select l.event_hash from log_leaves l
           where l.order_id = entries.order_id and l.sequence = entries.sequence) as leaf_hash,
         exists (select from log_queue q
           where q.order_id = entries.order_id and q.sequence = entries.sequence) as queued
       from entries where order_id = any ($1)) e
       on e.order_id = c.id
     order by of, e.sequence`,
    [orderIds],
  );
  const rowsOf = Map.groupBy(rows, (row) => row.of);
  return orderIds.map((orderId) => {
    const found = rowsOf.get(orderId) ?? [];
    const [first] = found;
    return {
      orderId,
      head:
        first && first.head_sequence !== null && first.head_hash !== null
          ? { sequence: first.head_sequence, hash: first.head_hash }
          : null,
      entries: found.filter((row) => row.id !== null) as unknown as StoredEntry[],
    };
  });
};
