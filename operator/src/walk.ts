import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '@pto/errors';
import type { Order } from '@pto/proto/orders/v1/orders';
import { orderStatuses } from '@pto/proto/vocabulary';
import type { Clients } from './clients.ts';

/**
 * The statuses of an order that is not cancelled, in the order in which the order passes through
 * them (decisions, "Order states").
 */
export const lineOfLife: readonly string[] = orderStatuses.filter((s) => s !== 'CANCELLED');

type Orders = Clients['orders'];

/**
 * For each status, the command that moves the order to the next status. Names that a command
 * requires are invented.
 */
const next: Readonly<
  Record<string, (orders: Orders, order: Order) => Promise<{ order?: Order | undefined }>>
> = {
  DRAFT: (orders, { id }) => orders.submitOrder({ circumstances: { orderId: id } }),
  SUBMITTED: (orders, { id }) =>
    orders.assignOrder({
      circumstances: { orderId: id },
      transportOrganization: 'Walking Transport',
    }),
  ASSIGNED: (orders, { id }) => orders.acceptOrder({ circumstances: { orderId: id } }),
  ACCEPTED: (orders, { id }) =>
    orders.assignDriver({ circumstances: { orderId: id }, driver: 'Walking Driver' }),
  DRIVER_ASSIGNED: (orders, { id }) => orders.startPickup({ circumstances: { orderId: id } }),
  PICKUP_STARTED: (orders, { id, items }) =>
    orders.sealOrder({
      circumstances: { orderId: id },
      sealIds: Array.from(
        { length: Math.max(items.length, 1) },
        (_, n) => `S-${id.slice(0, 8)}-${n + 1}`,
      ),
    }),
  SEALED: (orders, { id }) => orders.startTransport({ circumstances: { orderId: id } }),
  IN_TRANSIT: (orders, { id }) => orders.deliverOrder({ circumstances: { orderId: id } }),
  DELIVERED: (orders, { id }) => orders.closeOrder({ circumstances: { orderId: id } }),
};

/**
 * Moves an order step by step to a later status.
 * @throws Failure ILLEGAL_TRANSITION if the status cannot be reached from the order's own.
 */
export const walk = async (
  orders: Orders,
  orderId: string,
  target: string,
  pauseMs: number,
): Promise<Order> => {
  const end = lineOfLife.indexOf(target);
  let order = (await orders.showOrder({ orderId })).order!;
  for (;;) {
    const here = lineOfLife.indexOf(order.status);
    if (here === end) return order;
    if (here < 0 || here > end)
      throw new Failure(
        'ILLEGAL_TRANSITION',
        `The order cannot move from ${order.status} to ${target}.`,
        {
          details: { status: order.status, target },
        },
      );
    order = (await next[order.status]!(orders, order)).order!;
    if (order.status !== target) await sleep(pauseMs);
  }
};
