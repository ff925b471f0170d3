import { defineEntity, p } from '@mikro-orm/core';

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
