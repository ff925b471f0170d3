import { entryText, verifyChain } from '@pto/custody-verifier';
import { fragment, leastUuid, type Placeholders, type Sql, statement } from '@pto/database';
import { emptyHead } from '../chain/entry.ts';
import {
  type EntryRow,
  entryColumns,
  type Head,
  readChains,
  toChainEntry,
} from '../chain/read-chain.ts';
import { tables } from '../schema/ledger-database.ts';
import type { Violation } from './violation.ts';

/** An entry, and what the log stores for it. */
export interface StoredEntry extends EntryRow {
  /** The hash of the entry's leaf; null if it has no leaf. */
  readonly leaf_hash: string | null;
  /** Whether the entry has no leaf and is queued for the log. */
  readonly queued: boolean;
}

/** Everything that the ledger stores of one order, read in one snapshot. */
export interface StoredChain {
  readonly orderId: string;
  /** Null if the ledger has no head row for the order. */
  readonly head: Head | null;
  readonly entries: readonly StoredEntry[];
}

/**
 * Returns the first contradiction within a chain or between the chain and the log, or null: pure.
 * One transaction adds an entry, moves the head and queues the entry for the log; another moves the
 * queued entry to a leaf. So in one snapshot the entries, the head, the queue and the leaves agree.
 */
export const checkChain = (chain: StoredChain): Violation | null => {
  const { orderId, entries, head } = chain;
  const violation = (reason: string, entryId = ''): Violation => ({ orderId, entryId, reason });
  const verdict = verifyChain(orderId, entries.map(toChainEntry));
  if (!verdict.valid) return violation(verdict.reason, verdict.entryId);
  for (const [n, row] of entries.entries()) {
    const reason = rowViolation(orderId, n + 1, row);
    if (reason) return violation(reason, row.id);
  }
  const stored = head ?? emptyHead(orderId);
  if (stored.sequence === entries.length && stored.hash === verdict.head) return null;
  return violation(`the head says ${stored.sequence} entries, the chain has ${entries.length}`);
};

const rowViolation = (orderId: string, sequence: number, row: StoredEntry): string | null => {
  if (row.sequence !== sequence) return `entry ${sequence} is numbered ${row.sequence}`;
  if (entryText(orderId, toChainEntry(row)) !== row.canonical_text)
    return 'the stored canonical text is not what the entry says';
  if (row.leaf_hash === null) return row.queued ? null : 'the entry is not in the log';
  return row.leaf_hash === row.event_hash ? null : 'the entry is not the one that the log holds';
};

const selectNextIds = statement((given: Placeholders<{ after: string; pageSize: number }>) => {
  const idsOf = (table: 'chains' | 'entries') => {
    const ids = tables
      .selectFrom(table)
      .select('order_id')
      .distinct()
      .where('order_id', '>', given.after)
      .orderBy('order_id')
      .limit(given.pageSize);
    return tables.selectFrom(ids.as('i')).select('i.order_id');
  };
  return idsOf('chains').union(idsOf('entries')).orderBy('order_id').limit(given.pageSize);
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
 * Selects the entries of these orders, each with its leaf. Only for an entry without a leaf is the
 * queue read: `case` evaluates the condition first. The look-up is a scalar subquery, because
 * PostgreSQL may run `exists` as one scan of the complete queue.
 */
const selectEntries = statement((given: Placeholders<{ orderIds: readonly string[] }>) =>
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
        .$castTo<boolean>()
        .as('queued');
    })
    .where(({ eb, fn }) => eb('entries.order_id', '=', fn.any(given.orderIds)))
    .orderBy('entries.order_id')
    .orderBy('entries.sequence'),
);

/**
 * Reads the chains of these orders. An order without any rows gets an empty chain.
 * @param sql one snapshot.
 */
export const storedChains = async (
  sql: Sql,
  orderIds: readonly string[],
): Promise<StoredChain[]> => {
  const heads = await readChains(sql, orderIds);
  const rows = await selectEntries(sql, { orderIds });
  const entries = Map.groupBy(rows, (row) => row.order_id);
  return orderIds.map((orderId) => ({
    orderId,
    head: heads.get(orderId) ?? null,
    entries: entries.get(orderId) ?? [],
  }));
};
