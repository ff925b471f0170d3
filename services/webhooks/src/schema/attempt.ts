import { defineEntity, p } from '@mikro-orm/core';

/** An ended attempt of a delivery; `error` is `lost` if its lease ended without a result. */
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
