import { defineEntity, p } from '@mikro-orm/core';

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
  indexes: [
    {
      name: 'dead_letters_blocking',
      properties: ['consumer', 'topic', 'key', 'offset', 'id'],
      where: 'replayed_at is null and not rejected',
    },
    {
      name: 'dead_letters_listed',
      properties: ['consumer', 'topic', 'id'],
      where: 'replayed_at is null',
    },
    {
      name: 'dead_letters_rejected',
      properties: ['consumer', 'topic'],
      where: 'replayed_at is null and rejected',
    },
    {
      name: 'dead_letters_uncopied',
      properties: ['consumer', 'topic', 'id'],
      where: 'copied_at is null',
    },
    {
      name: 'dead_letters_waiting',
      properties: ['consumer', 'topic', 'key', 'offset', 'id'],
      where: 'replayed_at is null',
    },
  ],
  uniques: [
    {
      name: 'dead_letters_delivery',
      properties: ['consumer', 'topic', 'partition', 'offset', 'eventId'],
    },
  ],
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

/** The tables that a consuming service's migrations create with this package's statements. */
export const consumerEntities = [
  InboxRowEntity,
  DeadLetterRowEntity,
  ConsumerPositionEntity,
] as const;
