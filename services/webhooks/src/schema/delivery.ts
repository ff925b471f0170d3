import { defineEntity, p } from '@mikro-orm/core';
import type { deliveryStates } from '@pto/proto/vocabulary';

type DeliveryState = (typeof deliveryStates)[number];

/**
 * A delivery. `state` becomes EXHAUSTED when a delivery ends without success. After a success,
 * `state` stays PENDING and the delivery's row in `pending_deliveries` is deleted.
 */
export const DeliveryEntity = defineEntity({
  name: 'Delivery',
  tableName: 'deliveries',
  properties: {
    id: p.uuid().primary(),
    endpointId: p.uuid(),
    organizationId: p.uuid(),
    orderId: p.uuid(),
    eventId: p.uuid(),
    event: p.text(),
    payload: p.blob(),
    state: p.text().$type<DeliveryState>().default('PENDING'),
    reason: p.text().default(''),
    replayOf: p.uuid().nullable(),
    createdAt: p.datetime().defaultRaw('now()'),
    endedAt: p.datetime().nullable(),
    sequence: p.bigint('string'),
  },
  indexes: [
    {
      name: 'deliveries_exhausted',
      columns: [{ name: 'endpoint_id' }, { name: 'id', sort: 'DESC' }],
      where: "state = 'EXHAUSTED'",
    },
    {
      name: 'deliveries_exhausted_of_event',
      columns: [{ name: 'endpoint_id' }, { name: 'event' }, { name: 'id', sort: 'DESC' }],
      where: "state = 'EXHAUSTED'",
    },
    {
      name: 'deliveries_of_order',
      columns: [{ name: 'endpoint_id' }, { name: 'order_id' }, { name: 'id', sort: 'DESC' }],
    },
    {
      name: 'deliveries_open',
      columns: [{ name: 'endpoint_id' }, { name: 'id', sort: 'DESC' }],
      where: "state <> 'EXHAUSTED'",
    },
    {
      name: 'deliveries_open_of_event',
      columns: [{ name: 'endpoint_id' }, { name: 'event' }, { name: 'id', sort: 'DESC' }],
      where: "state <> 'EXHAUSTED'",
    },
  ],
});
