import { defineEntity, p } from '@mikro-orm/core';

/** The head of an order's chain. */
export const ChainEntity = defineEntity({
  name: 'Chain',
  tableName: 'chains',
  properties: {
    orderId: p.uuid().primary(),
    organizationId: p.uuid(),
    sequence: p.integer(),
    headHash: p.text(),
  },
});
