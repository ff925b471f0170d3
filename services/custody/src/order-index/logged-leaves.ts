import { type Given, type Sql, statement } from '@pto/database';
import { type Rows, tables } from '../schema/ledger-database.ts';

/** The columns of a log leaf that the index needs. */
const columns = ['order_id', 'sequence', 'event_hash'] as const;

export type LoggedLeaf = Readonly<Pick<Rows['log_leaves'], (typeof columns)[number]>>;

const selectLeaves = statement((given: Given<{ from: string; to: string }>) =>
  tables
    .selectFrom('log_leaves')
    .select(columns)
    .where('leaf_index', '>=', given.from)
    .where('leaf_index', '<', given.to)
    .orderBy('leaf_index'),
);

/**
 * Reads the log's leaves from index `from` to before `to`, in order.
 * @throws Error if a leaf is missing.
 */
export const loggedLeaves = async (sql: Sql, from: number, to: number): Promise<LoggedLeaf[]> => {
  const leaves = await selectLeaves(sql, { from: `${from}`, to: `${to}` });
  if (leaves.length !== to - from) throw new Error(`the log lacks leaves from ${from} to ${to}`);
  return leaves;
};
