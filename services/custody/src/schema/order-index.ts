import { defineEntity, p } from '@mikro-orm/core';

/** A version of a tile of the order index (decision 52). */
export const OrderIndexTileEntity = defineEntity({
  name: 'OrderIndexTile',
  tableName: 'order_index_tiles',
  properties: {
    prefix: p.text().collation('C').primary(),
    size: p.bigint('string').primary(),
    tile: p.blob(),
  },
});

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
