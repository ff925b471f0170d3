import { defineEntity, p } from '@mikro-orm/core';

/**
 * A delivery in the quarantine: the database rejected it, or rejected an earlier delivery of the
 * same order and endpoint.
 */
export const QuarantinedDeliveryEntity = defineEntity({
  name: 'QuarantinedDelivery',
  tableName: 'quarantined_deliveries',
  properties: {
    position: p.bigint('string').primary().autoincrement(),
    deliveryId: p.uuid(),
    endpointId: p.uuid(),
    organizationId: p.uuid(),
    orderId: p.uuid(),
    eventId: p.uuid(),
    event: p.text(),
    payload: p.blob(),
    sequence: p.bigint('string'),
    reason: p.text(),
    tries: p.integer().default(0),
    nextTryAt: p.datetime().defaultRaw('now()'),
    createdAt: p.datetime().defaultRaw('now()'),
  },
  indexes: [{ name: 'quarantined_of_order', properties: ['orderId', 'endpointId', 'position'] }],
});
