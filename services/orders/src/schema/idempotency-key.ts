import { defineEntity, p } from '@mikro-orm/core';

/** A stored response (decision 24). The column `answer` has the bytes of the response. */
export const IdempotencyKeyEntity = defineEntity({
  name: 'IdempotencyKey',
  tableName: 'idempotency',
  properties: {
    organizationId: p.uuid().primary(),
    route: p.text().primary(),
    key: p.text().primary(),
    id: p.uuid().primary(),
    bodySha256: p.blob(),
    response: p.blob().name('answer'),
  },
});
