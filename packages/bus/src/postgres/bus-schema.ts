import { defineEntity, p } from '@mikro-orm/core';
import { type MigrationList, sqlMigration, tablesOf } from '@pto/database';

/** The tables of the bus on PostgreSQL, in a database of its own. */
export const postgresBusMigrations: MigrationList = [
  sqlMigration('20261121000000_bus', [
    `create table topics (name text primary key, partitions int not null check (partitions > 0))`,
    // A publisher locks the row from the assignment of offsets until its commit, so offsets are in
    // the order of commits.
    `create table topic_partitions (
      topic text not null references topics,
      partition int not null,
      next_offset bigint not null default 0,
      primary key (topic, partition)
    ) with (fillfactor = 50)`,
    `create table messages (
      topic text not null,
      partition int not null,
      "offset" bigint not null,
      key text not null,
      event_id text not null,
      type text not null,
      traceparent text,
      request_id text,
      reason text,
      value bytea not null,
      published_at timestamptz not null default clock_timestamp(),
      primary key (topic, partition, "offset")
    )`,
    // a group on a topic; the number identifies its advisory locks
    `create table subscriptions (
      id int generated always as identity primary key,
      consumer_group text not null,
      topic text not null references topics,
      unique (consumer_group, topic)
    )`,
    // next_offset: offset of the first message that the group has not handled
    `create table subscription_offsets (
      subscription int not null references subscriptions,
      partition int not null,
      next_offset bigint not null,
      primary key (subscription, partition)
    ) with (fillfactor = 50)`,
  ]),
];

/** A topic of the bus on PostgreSQL. */
const BusTopicEntity = defineEntity({
  name: 'BusTopic',
  tableName: 'topics',
  properties: {
    name: p.text().primary(),
    partitions: p.integer(),
  },
});

/** The next offset that a partition assigns. */
const TopicPartitionEntity = defineEntity({
  name: 'TopicPartition',
  tableName: 'topic_partitions',
  properties: {
    topic: p.text().primary(),
    partition: p.integer().primary(),
    nextOffset: p.bigint('string').defaultRaw('0'),
  },
});

/** A message in a partition. */
const BusMessageEntity = defineEntity({
  name: 'BusMessage',
  tableName: 'messages',
  properties: {
    topic: p.text().primary(),
    partition: p.integer().primary(),
    offset: p.bigint('string').primary(),
    key: p.text(),
    eventId: p.text(),
    type: p.text(),
    traceparent: p.text().nullable(),
    requestId: p.text().nullable(),
    reason: p.text().nullable(),
    value: p.blob(),
    publishedAt: p.datetime().defaultRaw('clock_timestamp()'),
  },
});

/** A consumer group on a topic. The id identifies its advisory locks. */
const BusSubscriptionEntity = defineEntity({
  name: 'BusSubscription',
  tableName: 'subscriptions',
  properties: {
    id: p.integer().primary().autoincrement(),
    consumerGroup: p.text(),
    topic: p.text(),
  },
  uniques: [
    { name: 'subscriptions_consumer_group_topic_key', properties: ['consumerGroup', 'topic'] },
  ],
});

/** The offset of the first message in a partition that a group has not handled. */
const SubscriptionOffsetEntity = defineEntity({
  name: 'SubscriptionOffset',
  tableName: 'subscription_offsets',
  properties: {
    subscription: p.integer().primary(),
    partition: p.integer().primary(),
    nextOffset: p.bigint('string'),
  },
});

/** Entities of the tables that `postgresBusMigrations` creates. */
export const postgresBusEntities = [
  BusTopicEntity,
  TopicPartitionEntity,
  BusMessageEntity,
  BusSubscriptionEntity,
  SubscriptionOffsetEntity,
] as const;

/** Builds statements over the tables of the bus; `execute` of @pto/database runs them. */
export const tables = tablesOf(postgresBusEntities);
