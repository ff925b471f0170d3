import { fragment, type Placeholders, type Sql, statement } from '@pto/database';
import { tables } from '../schema/ledger-database.ts';
import type { Violation } from './violation.ts';

const one = fragment<string>`1`;

/**
 * Leaves of a span whose number is not the next one of their organization in the log's order, or
 * whose organization is not that of the order's chain. The leaf with the number before must be
 * earlier in the log; numbers are unique in an organization, so then they have no gap.
 */
const selectWrong = statement((given: Placeholders<{ from: string; end: string }>) =>
  tables
    .selectFrom('log_leaves as l')
    .leftJoin('chains as c', 'c.order_id', 'l.order_id')
    .leftJoin('log_leaves as b', (join) =>
      join
        .onRef('b.organization_id', '=', 'l.organization_id')
        .on(({ eb, ref }) => eb('b.number', '=', eb(ref('l.number'), '-', one))),
    )
    .select(['l.order_id', 'l.leaf_index'])
    .where('l.leaf_index', '>=', given.from)
    .where('l.leaf_index', '<', given.end)
    .where(({ and, eb, or, ref }) =>
      or([
        eb('c.organization_id', 'is distinct from', ref('l.organization_id')),
        eb('l.number', '<', one),
        and([
          eb('l.number', '>', one),
          or([eb('b.leaf_index', 'is', null), eb('b.leaf_index', '>', ref('l.leaf_index'))]),
        ]),
      ]),
    )
    .orderBy('l.leaf_index'),
);

/**
 * Verifies the numbers of the leaves from index `from` to before `end` (decision 68): the event feed
 * of an organization has no gap and follows the log.
 */
export const checkNumbers = async (sql: Sql, from: number, end: number): Promise<Violation[]> => {
  const rows = await selectWrong(sql, { from: `${from}`, end: `${end}` });
  return rows.map(({ order_id: orderId, leaf_index }) => ({
    orderId,
    entryId: '',
    reason: `leaf ${leaf_index} does not have the next number of its organization`,
  }));
};
