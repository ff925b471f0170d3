import { randomUUID } from 'node:crypto';
import { create, toBinary } from '@bufbuild/protobuf';
import { uuidv7 } from '@pto/database';
import { OrderEventSchema } from '@pto/proto/orders/events/v1/order_event';
import { orderEventsTopic } from '@pto/proto/topics';

/**
 * Events of new orders, as custody receives them without proof of origin: the first of each order,
 * then the second of each, and so on.
 */
export const orderEvents = (count: number, eventsPerOrder: number) => {
  const orderCount = count / eventsPerOrder;
  const orders = Array.from({ length: orderCount }, () => [randomUUID(), randomUUID()] as const);
  return Array.from({ length: count }, (_, n) =>
    orderEvent(orders[n % orderCount]!, Math.floor(n / orderCount) + 1),
  );
};

const orderEvent = ([orderId, organizationId]: readonly [string, string], sequence: number) => {
  const id = uuidv7();
  const event = create(OrderEventSchema, {
    id,
    organizationId,
    orderId,
    sequence,
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
