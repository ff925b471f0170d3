import { defineEntity, p } from '@mikro-orm/core';

/** A tile of the log: up to 256 hashes of 32 bytes. */
export const LogTileEntity = defineEntity({
  name: 'LogTile',
  tableName: 'log_tiles',
  properties: {
    level: p.integer().primary(),
    tileIndex: p.bigint('string').primary(),
    hashes: p.blob(),
  },
});
