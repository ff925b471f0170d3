import { defineEntity, p } from '@mikro-orm/core';

/** A warning mail that is not sent yet. `level` is the percentage of the failure limit. */
export const WarningEntity = defineEntity({
  name: 'Warning',
  tableName: 'warnings',
  properties: {
    id: p.uuid().primary(),
    endpointId: p.uuid(),
    organizationId: p.uuid(),
    level: p.smallint(),
    tries: p.integer().default(0),
    nextTryAt: p.datetime().defaultRaw('now()'),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});
