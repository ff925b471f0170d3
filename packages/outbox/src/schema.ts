import { defineEntity, p } from '@mikro-orm/core';

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
