/** Events of orders with their proofs of origin, for callers that append them one by one. */
import { randomBytes, randomUUID } from 'node:crypto';
import { create, toBinary } from '@bufbuild/protobuf';
import { uuidv7 } from '@pto/database';
import { messageKeys, messageSigner } from '@pto/message-authentication';
import { OrderEventSchema } from '@pto/proto/orders/events/v1/order_event';
import { orderEventsTopic } from '@pto/proto/topics';

/** Leaves of each log before, events of a round, and the time between two checkpoints (production's). */
export const [leavesBefore, eventCount] = [10_000, 16_384];
export const checkpointMs = Number(process.env.CHECKPOINT_MS ?? 1000);

/** A ring of keys of the benchmark's own (decision 55). */
const ring = (name: string) =>
  messageKeys(name).parse(`bench:${randomBytes(32).toString('base64')}`);
export const ordersKeys = ring('ORDERS_CUSTODY_KEYS');
export const signAsOrders = messageSigner('orders', { custody: ordersKeys });
export const signAsCustody = messageSigner('custody', {
  orders: ordersKeys,
  webhooks: ring('CUSTODY_WEBHOOKS_KEYS'),
});

/** The organizations of the events: as many as callers. */
export const organizations = Array.from({ length: 100 }, () => randomUUID());

/** The first events of new orders, as custody receives them. */
export const orderEvents = (count = eventCount) => Array.from({ length: count }, orderEvent);

export type OrderMessage = ReturnType<typeof orderEvent>;

const orderEvent = () => {
  const [id, orderId] = [uuidv7(), randomUUID()];
  const event = create(OrderEventSchema, {
    id,
    organizationId: organizations[Math.floor(Math.random() * organizations.length)]!,
    orderId,
    sequence: 1,
    type: 'order.submitted',
    internalType: 'ORDER_SUBMITTED',
    tsUtc: '2026-01-15T09:30:00.000Z',
    payloadJson: '{"sla":"standard","item_count":2}',
    order: { status: 'SUBMITTED', updatedAt: '2026-01-15T09:30:00.000Z' },
  });
  return signAsOrders({
    topic: orderEventsTopic,
    key: orderId,
    id,
    type: event.type,
    value: toBinary(OrderEventSchema, event),
    partition: 0,
    offset: '0',
  });
};

export const callerCount = 100;
