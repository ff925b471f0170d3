import { fragment, type Given, leastUuid, type Sql, statement } from '@pto/database';
import { entryColumns } from '../chain/entry-row.ts';
import { tables } from '../schema/ledger-database.ts';
import type { StoredChain, StoredEntry } from './check-chain.ts';

const selectNextIds = statement((given: Given<{ after: string; pageSize: number }>) => {
  const chains = tables
    .selectFrom('chains')
    .select('order_id')
    .where('order_id', '>', given.after)
    .orderBy('order_id')
    .limit(given.pageSize);
  const entries = tables
    .selectFrom('entries')
    .select('order_id')
    .distinct()
    .where('order_id', '>', given.after)
    .orderBy('order_id')
    .limit(given.pageSize);
  return tables
    .selectFrom(chains.as('c'))
    .select('c.order_id')
    .union(tables.selectFrom(entries.as('e')).select('e.order_id'))
    .orderBy('order_id')
    .limit(given.pageSize);
});

/**
 * Returns the order ids of the next chains. An order that has entries but has lost its head row is
 * included.
 */
export const nextChainIds = async (
  sql: Sql,
  afterOrderId: string,
  pageSize: number,
): Promise<string[]> => {
  const rows = await selectNextIds(sql, { after: afterOrderId || leastUuid, pageSize });
  return rows.map((row) => row.order_id);
};

/**
 * Builds a query of the entries of these orders, each with its leaf. Only for an entry without a
 * leaf is the queue read: `case` evaluates the condition first. The look-up is a scalar subquery,
 * because PostgreSQL may run `exists` as one scan of the complete queue.
 */
const entriesOf = (given: Given<{ orderIds: readonly string[] }>) =>
  tables
    .selectFrom('entries')
    .leftJoin('log_leaves as l', (join) =>
      join
        .onRef('l.order_id', '=', 'entries.order_id')
        .onRef('l.sequence', '=', 'entries.sequence'),
    )
    .select(entryColumns.map((column) => `entries.${column}` as const))
    .select('l.event_hash as leaf_hash')
    .select(({ eb, selectFrom }) => {
      const queued = selectFrom('log_queue as q')
        .select('q.id')
        .whereRef('q.order_id', '=', 'entries.order_id')
        .whereRef('q.sequence', '=', 'entries.sequence')
        .limit(fragment.lit(1));
      return eb
        .case()
        .when('l.event_hash', 'is', null)
        .then(eb(queued, 'is not', null))
        .else(eb.lit(false))
        .end()
        .as('queued');
    })
    .where(({ eb, fn }) => eb('entries.order_id', '=', fn.any(given.orderIds)));

const selectJoined = statement((given: Given<{ orderIds: readonly string[] }>) =>
  tables
    .selectFrom(
      tables
        .selectFrom('chains')
        .select(['order_id as id', 'sequence as head_sequence', 'head_hash'])
        .where(({ eb, fn }) => eb('order_id', '=', fn.any(given.orderIds)))
        .as('c'),
    )
    .fullJoin(entriesOf(given).as('e'), (join) => join.onRef('e.order_id', '=', 'c.id'))
    .select(({ fn }) => fn.coalesce('c.id', 'e.order_id').as('of'))
    .select(['c.head_sequence', 'c.head_hash'])
    .selectAll('e')
    .orderBy('of')
    .orderBy('e.sequence'),
);

/**
 * Reads the chains of these orders in one snapshot. An order without any rows gets an empty chain.
 */
export const readChains = async (sql: Sql, orderIds: readonly string[]): Promise<StoredChain[]> => {
  const rows = await selectJoined(sql, { orderIds });
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
