import { randomUUID } from 'node:crypto';
import { create, toBinary } from '@bufbuild/protobuf';
import { uuidv7 } from '@pto/database';
import { OrderEventSchema } from '@pto/proto/orders/events/v1/order_event';
import { orderEventsTopic } from '@pto/proto/topics';

/** The first event of a new order, as custody receives it without proof of origin. */
export const orderEvent = () => {
  const [orderId, id] = [randomUUID(), uuidv7()];
  const event = create(OrderEventSchema, {
    id,
    organizationId: randomUUID(),
    orderId,
    sequence: 1,
    type: 'order.submitted',
    internalType: 'ORDER_SUBMITTED',
    tsUtc: '2026-01-15T09:30:00.000Z',
    payloadJson: '{"sla":"standard","item_count":2}',
    order: { status: 'SUBMITTED', updatedAt: '2026-01-15T09:30:00.000Z' },
  });
  return {
    topic: orderEventsTopic,
    key: orderId,
    id,
    type: event.type,
    value: toBinary(OrderEventSchema, event),
    partition: 0,
    offset: '0',
  };
};
