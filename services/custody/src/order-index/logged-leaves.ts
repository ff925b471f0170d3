import type { Sql } from '@pto/database';

/** The columns of a log leaf that the index needs. */
export interface LoggedLeaf {
  readonly order_id: string;
  readonly sequence: number;
  readonly event_hash: string;
}

/**
 * Reads the log's leaves from index `from` to before `to`, in order.
 * @throws Error if a leaf is missing.
 */
export const loggedLeaves = async (sql: Sql, from: number, to: number): Promise<LoggedLeaf[]> => {
  const leaves = await sql.query<LoggedLeaf>(
    `select order_id, sequence, event_hash from log_leaves
     where leaf_index >= $1 and leaf_index < $2 order by leaf_index`,
    [from, to],
  );
  if (leaves.length !== to - from) throw new Error(`the log lacks leaves from ${from} to ${to}`);
  return leaves;
};
