import type { OutgoingMessage } from '@pto/bus';
import type { Database } from '@pto/database';

/** Returns those of the given shards that have unsent rows. */
export const shardsWithUnsent = async (
  db: Database,
  shards: readonly number[],
): Promise<number[]> => {
  const rows = await db.query<{ shard: number }>(
    `select shard from unnest($1::smallint[]) as shard where exists (
      select from outbox o where o.shard = shard.shard and o.sent_at is null)`,
    [shards],
  );
  return rows.map((row) => row.shard);
};

/**
 * Reads the shard's unsent rows in the order of their writing. It must not read only ids above the
 * last one sent: a row whose transaction commits late has a lower id than rows that were sent
 * before it.
 */
export const readUnsent = async (
  db: Database,
  shard: number,
  most: number,
): Promise<OutgoingMessage[]> => {
  const rows = await db.query<Row>(
    `select event_id, topic, key, type, traceparent, request_id, value from outbox
    where shard = $1 and sent_at is null order by id limit $2`,
    [shard, most],
  );
  return rows.map((row) => ({
    id: row.event_id,
    topic: row.topic,
    key: row.key,
    type: row.type,
    traceparent: row.traceparent ?? undefined,
    requestId: row.request_id ?? undefined,
    value: row.value,
  }));
};

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
  readonly event_id: string;
  readonly topic: string;
  readonly key: string;
  readonly type: string;
  readonly traceparent: string | null;
  readonly request_id: string | null;
  readonly value: Buffer;
}
