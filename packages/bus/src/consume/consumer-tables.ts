import { defineEntity, p } from '@mikro-orm/core';
import { type RowsOf, tablesOf } from '@pto/database';

/**
 * Statements for a service's migration: the tables of its consumers. Add `inbox` to the service's
 * `dailyPartitions` as well, with `inboxDays`.
 */
export const consumerTables: readonly string[] = [
  // written in the effect's transaction
  `create table inbox (
    consumer text not null,
    event_id uuid not null,
    handled_at timestamptz not null default now(),
    primary key (consumer, event_id)
  ) partition by range (event_id)`,
  // `copied_at` is null until `<topic>.dlq` contains the copy. A row with `rejected` has no proof of
  // origin (decision 55): no later message waits behind it. A discarded message no longer waits, so
  // its `replayed_at` is set, like that of a replayed message.
  `create table dead_letters (
    id uuid primary key,
    consumer text not null,
    topic text not null,
    partition int not null,
    "offset" bigint not null,
    key text not null,
    event_id text not null,
    type text not null,
    traceparent text,
    request_id text,
    value bytea not null,
    reason text not null,
    parked_at timestamptz not null default now(),
    replayed_at timestamptz,
    copied_at timestamptz,
    rejected boolean not null default false,
    discarded_by text,
    discard_reason text,
    check ((discarded_by is null) = (discard_reason is null)),
    check (discarded_by is null or replayed_at is not null)
  )`,
  // a message is parked once, however often the bus delivers it
  `create unique index dead_letters_delivery
    on dead_letters (consumer, topic, partition, "offset", event_id)`,
  `create index dead_letters_waiting on dead_letters (consumer, topic, key, "offset", id)
    where replayed_at is null`,
  `create index dead_letters_listed on dead_letters (consumer, topic, id)
    where replayed_at is null`,
  `create index dead_letters_uncopied on dead_letters (consumer, topic, id)
    where copied_at is null`,
  `create index dead_letters_blocking on dead_letters (consumer, topic, key, "offset", id)
    where replayed_at is null and not rejected`,
  `create index dead_letters_rejected on dead_letters (consumer, topic)
    where replayed_at is null and rejected`,
  // The offset after the last handled message of each partition is in the database of the effects: a
  // restored database has the matching offset, and Kafka's tools cannot move it.
  `create table consumer_positions (
    consumer text not null,
    topic text not null,
    partition int not null,
    next_offset bigint not null,
    primary key (consumer, topic, partition)
  )`,
];

/** Records that one consumer has handled one event. */
const InboxRowEntity = defineEntity({
  name: 'InboxRow',
  tableName: 'inbox',
  properties: {
    consumer: p.text().primary(),
    eventId: p.uuid().primary(),
    handledAt: p.datetime().defaultRaw('now()'),
  },
});

/** A message that a consumer could not handle, or that is parked behind such a message. */
const DeadLetterRowEntity = defineEntity({
  name: 'DeadLetterRow',
  tableName: 'dead_letters',
  properties: {
    id: p.uuid().primary(),
    consumer: p.text(),
    topic: p.text(),
    partition: p.integer(),
    offset: p.bigint('string'),
    key: p.text(),
    eventId: p.text(),
    type: p.text(),
    traceparent: p.text().nullable(),
    requestId: p.text().nullable(),
    value: p.blob(),
    reason: p.text(),
    parkedAt: p.datetime().defaultRaw('now()'),
    replayedAt: p.datetime().nullable(),
    copiedAt: p.datetime().nullable(),
    rejected: p.boolean().default(false),
    discardedBy: p.text().nullable(),
    discardReason: p.text().nullable(),
  },
});

/** The offset after the last handled message of a partition. */
const ConsumerPositionEntity = defineEntity({
  name: 'ConsumerPosition',
  tableName: 'consumer_positions',
  properties: {
    consumer: p.text().primary(),
    topic: p.text().primary(),
    partition: p.integer().primary(),
    nextOffset: p.bigint('string'),
  },
});

/** The entities of `consumerTables`. */
export const consumerEntities = [
  InboxRowEntity,
  DeadLetterRowEntity,
  ConsumerPositionEntity,
] as const;

/** A topic and the consumer group that reads it: identifies a consumer. */
export interface Source {
  readonly group: string;
  readonly topic: string;
}

/** Builds statements over the tables of a consumer, which are in the database of its service. */
export const tables = tablesOf(consumerEntities);

export type Rows = RowsOf<typeof tables>;

/**
 * Selects the dead letters of a consumer that wait: neither replayed nor discarded. The caller adds
 * columns and further conditions.
 */
export const waitingOf = ({ group, topic }: Source) =>
  tables
    .selectFrom('dead_letters')
    .where('consumer', '=', group)
    .where('topic', '=', topic)
    .where('replayed_at', 'is', null);
