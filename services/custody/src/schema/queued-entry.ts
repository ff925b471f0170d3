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
  indexes: [
    {
      name: 'log_queue_order',
      // only an expression can say that it is a hash index
      expression: 'create index log_queue_order on log_queue using hash (order_id)',
    },
  ],
});
