import { defineEntity, p } from '@mikro-orm/core';

/** A witness's signature line for the checkpoint of a size. */
export const CosignatureEntity = defineEntity({
  name: 'Cosignature',
  tableName: 'log_cosignatures',
  properties: {
    size: p.bigint('string').primary(),
    vkey: p.text().primary(),
    line: p.text(),
    cosignedAt: p.datetime(),
  },
});
