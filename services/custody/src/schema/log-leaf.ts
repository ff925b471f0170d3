import { defineEntity, p } from '@mikro-orm/core';

/** A leaf of the log. */
export const LogLeafEntity = defineEntity({
  name: 'LogLeaf',
  tableName: 'log_leaves',
  properties: {
    leafIndex: p.bigint('string').primary().autoincrement(false),
    orderId: p.uuid(),
    sequence: p.integer(),
    eventHash: p.text(),
  },
  uniques: [{ name: 'log_leaves_order_id_sequence_key', properties: ['orderId', 'sequence'] }],
});
