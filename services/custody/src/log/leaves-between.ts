import { tables } from '../schema/ledger-database.ts';

/** Builds a query of the leaves from index `from` to before `end`, in order. */
export const leavesBetween = (from: number, end: number) =>
  tables
    .selectFrom('log_leaves')
    .where('leaf_index', '>=', `${from}`)
    .where('leaf_index', '<', `${end}`)
    .orderBy('leaf_index');
