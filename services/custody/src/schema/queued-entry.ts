import { defineEntity, p } from '@mikro-orm/core';

/** An entry that waits for its position in the log. */
export const QueuedEntryEntity = defineEntity({
  name: 'QueuedEntry',
  tableName: 'log_queue',
  properties: {
    id: p.bigint('string').primary().autoincrement(),
    orderId: p.uuid(),
    sequence: p.integer(),
    eventHash: p.text(),
  },
});
