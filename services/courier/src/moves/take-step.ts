import type { Order } from '@pto/proto/orders/v1/orders';
import { actionsIn, type Step } from '../plan/steps.ts';
import { callUntil, moveTo, notPossible, type Orders } from './orders.ts';

/**
 * Takes a step of a run on an order.
 * @throws Failure ILLEGAL_TRANSITION if the order's status does not permit the step, and what orders
 *   rejects
 */
export const takeStep = async (
  orders: Orders,
  order: Order,
  { kind, value }: Step,
  deadline: number,
): Promise<void> => {
  if (kind === 'to') {
    await moveTo(orders, order, value, deadline);
    return;
  }
  if (!actionsIn(order.status).includes(kind))
    throw notPossible(order.status, targets[kind] ?? kind);
  const circumstances = { orderId: order.id };
  const call = callUntil(deadline);
  if (kind === 'decline') await orders.declineAssignment({ circumstances }, call);
  else if (kind === 'release_driver') await orders.releaseDriver({ circumstances }, call);
  else if (kind === 'incident') await orders.reportIncident({ circumstances, note: value }, call);
  else await orders.escalateOrder({ circumstances, note: value }, call);
};

/** The statuses that these kinds of steps lead to. */
const targets: Readonly<Record<string, string>> = {
  decline: 'SUBMITTED',
  release_driver: 'ACCEPTED',
};
