import { Failure } from '@pto/errors';
import { type Invented, invented } from '@pto/order-steps';
import type { Order } from '@pto/proto/orders/v1/orders';
import { actionsIn, type Step } from '../plan/steps.ts';
import { type Courier, callUntil, moveTo, revokePhone, sendLate } from './orders.ts';

/**
 * Takes a step of a run on an order.
 * @param before the run's steps before this one.
 * @throws Failure ILLEGAL_TRANSITION if the order's status does not permit the step, and what orders
 *   rejects
 */
export const takeStep = async (
  courier: Courier,
  order: Order,
  { kind, value, afterMs }: Step,
  before: readonly Step[],
  deadline: number,
): Promise<void> => {
  const { orders } = courier;
  if (kind === 'to' || kind === 'office') {
    await moveTo(courier, order, value, deadline, namesAfter(before), kind === 'to');
    return;
  }
  if (kind === 'revoke') return revokePhone(courier, order, deadline);
  if (kind === 'late_start') return sendLate(courier, order, 'startTransport', afterMs, deadline);
  if (kind === 'late_arrival') return sendLate(courier, order, 'recordArrival', afterMs, deadline);
  const { status } = order;
  if (!actionsIn(status).includes(kind))
    throw new Failure('ILLEGAL_TRANSITION', `The order is ${status}; no ${kind} is possible.`, {
      details: { status },
    });
  const circumstances = { orderId: order.id };
  const call = callUntil(deadline);
  if (kind === 'decline') await orders.declineAssignment({ circumstances }, call);
  else if (kind === 'release_driver') await orders.releaseDriver({ circumstances }, call);
  else if (kind === 'incident') await orders.reportIncident({ circumstances, note: value }, call);
  else await orders.escalateOrder({ circumstances, note: value }, call);
};

/**
 * Returns the names that an order gets after these steps of its run: the transport organization that
 * declined does not accept, and the driver that was released does not drive.
 */
const namesAfter = (steps: readonly Step[]): Invented => {
  const nth = (name: string, kind: Step['kind']): string => {
    const count = steps.filter((step) => step.kind === kind).length;
    return count === 0 ? name : `${name} ${count + 1}`;
  };
  return {
    transportOrganization: nth(invented.transportOrganization, 'decline'),
    driver: nth(invented.driver, 'release_driver'),
  };
};
