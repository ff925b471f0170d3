import { defineEntity, p } from '@mikro-orm/core';

/** A completed attempt of a delivery. */
export const AttemptEntity = defineEntity({
  name: 'Attempt',
  tableName: 'attempts',
  properties: {
    deliveryId: p.uuid().primary(),
    number: p.smallint().primary(),
    at: p.datetime(),
    statusCode: p.smallint().nullable(),
    error: p.text().default(''),
    durationMs: p.integer(),
  },
});
