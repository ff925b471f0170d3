import { defineEntity, p } from '@mikro-orm/core';

/** A queued delivery: it has neither been delivered nor ended. */
export const PendingDeliveryEntity = defineEntity({
  name: 'PendingDelivery',
  tableName: 'pending_deliveries',
  properties: {
    deliveryId: p.uuid().primary(),
    endpointId: p.uuid(),
    orderId: p.uuid(),
    generation: p.integer(),
    position: p.bigint('string').autoincrement(),
    dueAt: p.datetime().defaultRaw('now()'),
    attempts: p.smallint().default(0),
    firstAttemptAt: p.datetime().nullable(),
    tried: p.boolean().default(false),
    leaseOwner: p.uuid().nullable(),
    leasedAt: p.datetime().nullable(),
    leaseUntil: p.datetime().nullable(),
    lost: p.smallint().default(0),
    dueIfLostAt: p.datetime().nullable(),
  },
  indexes: [
    { name: 'pending_due', properties: ['endpointId', 'dueAt', 'position'] },
    {
      name: 'pending_untried',
      properties: ['endpointId', 'orderId', 'position'],
      where: 'not tried',
    },
  ],
});
