import { defineEntity, p } from '@mikro-orm/core';

/** A version of the order index, and the prefixes of the tiles that it wrote. */
export const OrderIndexVersionEntity = defineEntity({
  name: 'OrderIndexVersion',
  tableName: 'order_index_versions',
  properties: {
    size: p.bigint('string').primary().autoincrement(false),
    root: p.blob(),
    prefixes: p.array(),
    writtenAt: p.datetime().defaultRaw('clock_timestamp()'),
  },
});
