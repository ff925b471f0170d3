import { tables } from '../schema/tables.ts';

/** Builds a read of the leaves from one index on, below another, in their order. */
export const leavesBetween = (from: number, end: number) =>
  tables
    .selectFrom('log_leaves')
    .where('leaf_index', '>=', `${from}`)
    .where('leaf_index', '<', `${end}`)
    .orderBy('leaf_index');
