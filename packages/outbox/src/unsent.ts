import type { OutgoingMessage } from '@pto/bus';
import {
  type ArrayOf,
  asynchronousCommit,
  type Database,
  execute,
  fragment,
  type Given,
  statement,
  unnest,
} from '@pto/database';
import { tables } from './tables.ts';

const oldestFirst = 'asc';

const selectUnsent = statement((given: Given<{ shard: ArrayOf<number>; most: number }>) =>
  tables
    .selectFrom(unnest('s', given, { shard: 'smallint' }))
    .crossJoinLateral((eb) =>
      eb
        .selectFrom('outbox')
        .select(['shard', 'id', 'event_id', 'topic', 'key', 'type', 'traceparent', 'request_id'])
        .select('value')
        .whereRef('outbox.shard', '=', 's.shard')
        .where('sent_at', 'is', null)
        .orderBy('id', oldestFirst)
        .limit(given.most)
        .as('o'),
    )
    .selectAll('o')
    .orderBy('o.id', oldestFirst),
);

type Row = Awaited<ReturnType<typeof selectUnsent>>[number];

/**
 * Reads unsent rows of the given shards, `most` of each, in the order of their writing. Does not
 * skip ids below that of the last sent row: a row whose transaction commits late has a lower id
 * than rows that were sent before it.
 * @returns the messages by shard, without shards that have none.
 */
export const readUnsent = async (
  db: Database,
  shards: readonly number[],
  most: number,
): Promise<ReadonlyMap<number, readonly OutgoingMessage[]>> => {
  const rows = await selectUnsent(db, { shard: shards, most });
  const byShard = Map.groupBy(rows, ({ shard }) => shard);
  return new Map([...byShard].map(([shard, ofShard]) => [shard, ofShard.map(toMessage)]));
};

const toMessage = (row: Row): OutgoingMessage => ({
  id: row.event_id,
  topic: row.topic,
  key: row.key,
  type: row.type,
  traceparent: row.traceparent ?? undefined,
  requestId: row.request_id ?? undefined,
  value: row.value,
});

const setSent = statement(
  (given: Given<{ ids: readonly string[] }>) =>
    tables
      .updateTable('outbox')
      .set({ sent_at: fragment<string>`now()` })
      .where(({ eb, fn }) => eb('event_id', '=', fn.any(given.ids)))
      .where(asynchronousCommit), // a lost mark sends the row again
);

export const markSent = async (
  db: Database,
  messages: readonly OutgoingMessage[],
): Promise<void> => {
  await setSent(db, { ids: messages.map(({ id }) => id) });
};

export interface Backlog {
  readonly unsent: number;
  /** Numbers (`id`) of the oldest and the newest unsent row; null if there are none. */
  readonly waiting: { readonly oldest: number; readonly newest: number } | null;
}

export const backlog = async (db: Database): Promise<Backlog> => {
  const [row] = await execute(
    db,
    tables
      .selectFrom('outbox')
      .where('sent_at', 'is', null)
      .select(({ cast, fn }) => [
        cast<number>(fn.countAll(), 'integer').as('unsent'),
        fn.min<string | null>('id').as('oldest'),
        fn.max<string | null>('id').as('newest'),
      ]),
  );
  const { unsent, oldest, newest } = row!;
  const waiting = oldest && newest ? { oldest: Number(oldest), newest: Number(newest) } : null;
  return { unsent, waiting };
};
