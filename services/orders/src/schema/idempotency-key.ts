import { defineEntity, p } from '@mikro-orm/core';

/**
 * A stored response (decision 24). `answer` has its bytes; this service never writes null there.
 */
export const IdempotencyKeyEntity = defineEntity({
  name: 'IdempotencyKey',
  tableName: 'idempotency',
  properties: {
    organizationId: p.uuid().primary(),
    route: p.text().primary(),
    key: p.text().primary(),
    id: p.uuid().primary(),
    bodySha256: p.blob(),
    response: p.blob().name('answer').nullable(),
  },
});
