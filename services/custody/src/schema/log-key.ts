import { defineEntity, p } from '@mikro-orm/core';

/** A key that signs checkpoints, and the time of its validity. */
export const LogKeyEntity = defineEntity({
  name: 'LogKey',
  tableName: 'log_keys',
  properties: {
    vkey: p.text().primary(),
    validFrom: p.datetime().defaultRaw('clock_timestamp()'),
    validUntil: p.datetime().nullable(),
  },
});
