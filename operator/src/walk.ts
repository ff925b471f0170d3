import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '@pto/errors';
import type { Order } from '@pto/proto/orders/v1/orders';
import { orderStatuses } from '@pto/proto/vocabulary';
import { commandMetadata } from './arguments.ts';
import { type Flags, type Orders, steps } from './commands/order-steps.ts';

/**
 * The statuses of an order that is not cancelled, in the order in which the order passes through
 * them (decisions, "Order states").
 */
export const lineOfLife: readonly string[] = orderStatuses.filter((s) => s !== 'CANCELLED');

/**
 * For each status, the step that moves the order to the next status. Names that a step requires are
 * invented.
 */
const next: Readonly<Record<string, (order: Order) => readonly [word: string, flags?: object]>> = {
  DRAFT: () => ['submit'],
  SUBMITTED: () => ['assign', { to: 'Walking Transport' }],
  ASSIGNED: () => ['accept'],
  ACCEPTED: () => ['driver', { name: 'Walking Driver' }],
  DRIVER_ASSIGNED: () => ['start-pickup'],
  PICKUP_STARTED: ({ id, items }) => {
    const count = Math.max(items.length, 1);
    return [
      'seal',
      { seal: Array.from({ length: count }, (_, n) => `S-${id.slice(0, 8)}-${n + 1}`) },
    ];
  },
  SEALED: () => ['start-transport'],
  IN_TRANSIT: () => ['deliver'],
  DELIVERED: () => ['close'],
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
    const [word, flags = {}] = next[order.status]!(order);
    const step = steps.find((one) => one.word === word)!;
    order = (await step.run(orders, commandMetadata(orderId, {}), flags as Flags)).order!;
    if (order.status !== target) await sleep(pauseMs);
  }
};
