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
