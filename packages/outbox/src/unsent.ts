import type { OutgoingMessage } from '@pto/bus';
import type { Database } from '@pto/database';

const inOrder = 'order by id';

/**
 * Reads unsent rows of the given shards, `most` of each, in the order of their writing. It must not
 * read only ids above the last one sent: a row whose transaction commits late has a lower id than
 * rows that were sent before it.
 * @returns the messages by shard, without shards that have none.
 */
export const readUnsent = async (
  db: Database,
  shards: readonly number[],
  most: number,
): Promise<ReadonlyMap<number, readonly OutgoingMessage[]>> => {
  const rows = await db.query<Row>(
    `select o.* from unnest($1::smallint[]) as s (shard) cross join lateral (
      select shard, id, event_id, topic, key, type, traceparent, request_id, value from outbox
      where shard = s.shard and sent_at is null ${inOrder} limit $2) o ${inOrder}`,
    [shards, most],
  );
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

export const markSent = async (
  db: Database,
  messages: readonly OutgoingMessage[],
): Promise<void> => {
  await db.query('update outbox set sent_at = now() where event_id = any($1::uuid[])', [
    messages.map(({ id }) => id),
  ]);
};

export interface Backlog {
  readonly unsent: number;
  /** The oldest and the newest unsent row; null if there are none. */
  readonly waiting: { readonly oldest: number; readonly newest: number } | null;
}

export const backlog = async (db: Database): Promise<Backlog> => {
  const [row] = await db.query<{ unsent: number; oldest: string | null; newest: string | null }>(
    'select count(*)::int as unsent, min(id) as oldest, max(id) as newest from outbox where sent_at is null',
  );
  const { unsent, oldest, newest } = row!;
  const waiting = oldest && newest ? { oldest: Number(oldest), newest: Number(newest) } : null;
  return { unsent, waiting };
};

interface Row {
  readonly shard: number;
  readonly event_id: string;
  readonly topic: string;
  readonly key: string;
  readonly type: string;
  readonly traceparent: string | null;
  readonly request_id: string | null;
  readonly value: Buffer;
}
