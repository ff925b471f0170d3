import { defineEntity, p } from '@mikro-orm/core';

/** The public key (vkey) of a signing key of the log, and the time in which that key may sign. */
export const LogKeyEntity = defineEntity({
  name: 'LogKey',
  tableName: 'log_keys',
  properties: {
    vkey: p.text().primary(),
    validFrom: p.datetime().defaultRaw('clock_timestamp()'),
    validUntil: p.datetime().nullable(),
  },
});
