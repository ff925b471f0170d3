import { entryLeafHash } from '@pto/custody-verifier';
import {
  type Database,
  fragment,
  insertFromArrays,
  type Placeholders,
  statement,
  type Transaction,
} from '@pto/database';
import { tables } from '../schema/ledger-database.ts';
import { extendTiles, growingTiles, readTiles, saveTiles } from './stored-log.ts';

export const integrateMax = 2048;

export interface LogState {
  readonly size: number;
  /** Why nothing is appended or signed any more; null if the log is not halted. */
  readonly halted: string | null;
  /** Number of leaves that the newest checkpoint recorded as anchored covers. */
  readonly anchoredSize: number;
}

const lockState = statement(() =>
  tables
    .selectFrom('log_state')
    .select(['size', 'halted', 'anchored_size'])
    .forUpdate()
    .skipLocked(),
);

/**
 * Returns the log's state, locked until the transaction ends, so that one sequencer works at a
 * time; null if another transaction holds the lock.
 */
export const holdLog = async (tx: Transaction): Promise<LogState | null> => {
  const [row] = await lockState(tx);
  return row
    ? { size: Number(row.size), halted: row.halted, anchoredSize: Number(row.anchored_size) }
    : null;
};

/**
 * Moves up to {@link integrateMax} queued entries to the log. It takes the lowest ids of the queue,
 * not the ids after the last moved id: a transaction may commit a lower id later.
 * @returns the number of entries added; fewer than {@link integrateMax} if the queue is empty, the
 *   log is halted or another replica holds the log's lock.
 */
export const integrate = (db: Database): Promise<number> =>
  db.transaction(async (tx) => {
    const state = await holdLog(tx);
    if (!state || state.halted !== null) return 0;
    const [placed] = await moveQueued(tx, { size: `${state.size}` });
    if (!placed?.hashes) return 0;
    const eventHashes = placed.hashes.split(',');
    const growing = await readTiles(tx, growingTiles(state.size));
    await saveTiles(tx, extendTiles(state.size, growing, eventHashes.map(entryLeafHash)));
    await setSize(tx, { size: `${state.size + eventHashes.length}` });
    return eventHashes.length;
  });

const setSize = statement((given: Placeholders<{ size: string }>) =>
  tables.updateTable('log_state').set({ size: given.size }),
);

/**
 * Moves entries from the queue to the log's leaves from index `size` on, by one statement, so that
 * the entries are neither parsed here nor sent back. Yields their `event_hash`es, in the log's
 * order, separated by commas.
 *
 * The statement also numbers the leaves of each organization without a gap, in the log's order
 * (decision 68): it adds the organization's new leaves to its head and counts from the head before.
 * Only the holder of the log's lock runs it, so no two transactions number leaves at once. The
 * organization is that of the order's chain; an entry without a chain is an error that leaves the
 * queue as it was.
 */
const moveQueued = statement((given: Placeholders<{ size: string }>) =>
  tables
    .with('removed', (db) =>
      db
        .deleteFrom('log_queue')
        .where(({ eb, selectFrom }) => {
          const oldest = selectFrom('log_queue as q')
            .select('q.id')
            .orderBy('q.id')
            .limit(fragment.lit(integrateMax));
          // an array of ids, so that PostgreSQL finds the rows by their primary keys
          return eb('id', '=', fragment<string>`any (array${oldest})`);
        })
        .returning(['id', 'order_id', 'sequence', 'event_hash']),
    )
    .with('taken', (db) =>
      db
        .selectFrom('removed as r')
        .leftJoin('chains as c', 'c.order_id', 'r.order_id')
        .select(['r.id', 'r.order_id', 'r.sequence', 'r.event_hash', 'c.organization_id']),
    )
    .with('heads', (db) =>
      insertFromArrays(
        tables,
        'feed_heads',
        db.selectFrom('taken as t').groupBy('t.organization_id').orderBy('t.organization_id'),
        ({ fn, ref }) => ({
          organization_id: ref('t.organization_id').$notNull(),
          number: fn.countAll<string>(),
        }),
      )
        .onConflict((conflict) =>
          conflict.column('organization_id').doUpdateSet(({ eb, ref }) => ({
            number: eb('feed_heads.number', '+', ref('excluded.number')),
          })),
        )
        .returning(['organization_id', 'number']),
    )
    .with('placed', (db) =>
      insertFromArrays(
        tables,
        'log_leaves',
        db
          .selectFrom('taken as t')
          .innerJoin('heads as h', 'h.organization_id', 't.organization_id'),
        ({ fn, ref }) => {
          const nth = fn.agg<string>('row_number').over((over) => over.orderBy('t.id'));
          const ofOrganization = fn
            .agg<string>('row_number')
            .over((over) => over.partitionBy('t.organization_id').orderBy('t.id'));
          const count = fn.countAll<string>().over((over) => over.partitionBy('t.organization_id'));
          return {
            leaf_index: fragment<string>`${given.size}::bigint + ${nth} - 1`,
            order_id: ref('t.order_id'),
            sequence: ref('t.sequence'),
            event_hash: ref('t.event_hash'),
            organization_id: ref('h.organization_id'),
            number: fragment<string>`${ref('h.number')} - ${count} + ${ofOrganization}`,
          };
        },
      ).returning(['leaf_index', 'event_hash']),
    )
    .selectFrom('placed')
    .select(({ fn, ref }) =>
      fn
        .agg<string | null>('string_agg', [ref('event_hash'), fragment.lit(',')])
        .orderBy('leaf_index')
        .as('hashes'),
    ),
);
