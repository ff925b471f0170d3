/** Each key has its shard, each shard one relay at a time. Not to be changed while rows wait. */
export const outboxShards = 4;

/**
 * Statements for a service's migration; `outbox` then goes into its `dailyPartitions` with
 * `sent_at is null` as the condition of a row that must not be dropped.
 */
export const outboxTable: readonly string[] = [
  `create table outbox (
    event_id uuid primary key,
    id bigint generated always as identity,
    shard smallint not null,
    topic text not null,
    key text not null,
    type text not null,
    traceparent text,
    request_id text,
    value bytea not null,
    sent_at timestamptz
  ) partition by range (event_id)`,
  `create index outbox_unsent on outbox (shard, id) where sent_at is null`,
];
