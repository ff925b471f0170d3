import { execute, type Sql } from '@pto/database';
import { type Rows, tables } from '../schema/ledger-database.ts';

/** Builds a query of the leaves from index `from` to before `end`, in order. */
export const leavesBetween = (from: number, end: number) =>
  tables
    .selectFrom('log_leaves')
    .where('leaf_index', '>=', `${from}`)
    .where('leaf_index', '<', `${end}`)
    .orderBy('leaf_index');

/** The columns of a leaf that the order index needs. */
const indexed = ['order_id', 'sequence', 'event_hash'] as const;

export type LoggedLeaf = Readonly<Pick<Rows['log_leaves'], (typeof indexed)[number]>>;

/**
 * Reads the log's leaves from index `from` to before `to`, in order.
 * @throws Error if a leaf is missing.
 */
export const loggedLeaves = async (sql: Sql, from: number, to: number): Promise<LoggedLeaf[]> => {
  const leaves = await execute(sql, leavesBetween(from, to).select(indexed));
  if (leaves.length !== to - from) throw new Error(`the log lacks leaves from ${from} to ${to}`);
  return leaves;
};
