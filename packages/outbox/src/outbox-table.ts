import { defineEntity, p } from '@mikro-orm/core';
import { tablesOf } from '@pto/database';

/**
 * Number of shards. Each key belongs to one shard, and each shard has one relay at a time. Must not
 * be changed while rows are unsent.
 */
export const outboxShards = 4;

/**
 * Statements for a service's migration. Add `outbox` to the service's `dailyPartitions` as well,
 * with `sent_at is null` as the condition of a row that must not be dropped.
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

/** A message that is to be sent, or that was sent (`sentAt`). */
export const OutboxEntity = defineEntity({
  name: 'OutboxRow',
  tableName: 'outbox',
  properties: {
    eventId: p.uuid().primary(),
    id: p.bigint('string').autoincrement(),
    shard: p.smallint(),
    topic: p.text(),
    key: p.text(),
    type: p.text(),
    traceparent: p.text().nullable(),
    requestId: p.text().nullable(),
    value: p.blob(),
    sentAt: p.datetime().nullable(),
  },
});

/** Builds statements over the outbox, which is in the database of its service. */
export const tables = tablesOf([OutboxEntity]);
