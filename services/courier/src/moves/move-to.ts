import { randomUUID } from 'node:crypto';
import { Failure } from '@pto/errors';
import { type Invented, invented, type NextCommand, nextCommand } from '@pto/order-steps';
import { nextCommandOf, statusPath } from '@pto/proto/order-commands';
import type { Order } from '@pto/proto/orders/v1/orders';
import { missingBefore, supply } from './evidence.ts';
import { missingEvidence } from './handover.ts';
import { type Courier, callUntil, isReused, sendCommand, showOrder, signed } from './orders.ts';
import { driverIdOf, idOf } from './phone.ts';

/** Returns the place of a status in the order's life; -1 for CANCELLED. */
export const placeOf = (status: string): number => statusPath.indexOf(status);

/** More commands than an order needs: others may move the order back meanwhile. */
const commandsMax = 30;

/**
 * Moves an order step by step to a status. An order that has reached the status, or a later one, is
 * not moved. Handovers that the order requires are recorded on the way.
 * @param names the transport organization and the driver that the order is given on the way.
 * @param isByPhone false: the office takes the driver's steps, too.
 * @throws Failure ILLEGAL_TRANSITION for a cancelled order, and what orders rejects
 */
export const moveTo = async (
  courier: Courier,
  start: Order,
  target: string,
  deadline: number,
  names: Invented = invented,
  isByPhone = true,
): Promise<Order> => {
  const end = placeOf(target);
  let order = start;
  for (let n = 0; n < commandsMax; n++) {
    if (placeOf(order.status) >= end) return order;
    const command = nextCommand(order, names);
    if (!command) throw cannotBecome(order.status, target);
    const [rpc, fields] = command;
    const record = rpc === 'assignDriver' && { driverId: driverIdOf(order.id, names.driver) };
    order = await takeCommand(courier, order, [rpc, { ...fields, ...record }], deadline, isByPhone);
  }
  throw new Failure('SERVICE_UNAVAILABLE', 'The order is moved by others at the same time.', {
    retryAfterSeconds: 1,
  });
};

const cannotBecome = (status: string, target: string): Failure =>
  new Failure('ILLEGAL_TRANSITION', `The order is ${status} and cannot become ${target}.`, {
    details: { status, target },
  });

/** The stage whose evidence each step of a driver needs; null: none. */
const driverSteps: Readonly<Partial<Record<NextCommand[0], string | null>>> = {
  startPickup: null,
  sealOrder: null,
  startTransport: 'pickup',
  deliverOrder: 'dropoff',
};

/**
 * Sends a command, and returns the order after it. Returns the order of now if the command was
 * rejected because another caller has changed the status since `order` was read. If the order
 * requires evidence for the command, supplies it in its place. The steps of a driver are signed by
 * the driver's phone; orders keeps such a record that it rejects, so evidence is looked for before.
 */
const takeCommand = async (
  courier: Courier,
  order: Order,
  command: NextCommand,
  deadline: number,
  isByPhone: boolean,
): Promise<Order> => {
  const [rpc, fields] = command;
  const phone = isByPhone ? courier.phoneOf(order) : undefined;
  const stage = phone && driverSteps[rpc];
  const unsigned = { orderId: order.id, commandId: randomUUID() };
  try {
    const missing = stage && (await missingBefore(courier, order, phone!, stage, deadline));
    if (missing) return await supply(courier, order, missing, phone, deadline);
    const step = {
      internalType: nextCommandOf(order.status)!.event.entry,
      payload: fields.sealIds ? { seal_ids: fields.sealIds } : {},
      // an order takes each step of a driver once, so that of several calls one is sent
      commandId: idOf(rpc, order.id, order.driverId ?? ''),
    };
    const { circumstances, call } =
      phone && stage !== undefined
        ? await signed(courier, order, phone, step, deadline)
        : { circumstances: unsigned, call: callUntil(deadline) };
    const send = () => courier.orders[rpc]({ circumstances, ...fields }, call);
    return (await sendCommand(send)).order!;
  } catch (thrown) {
    const isRejected = thrown instanceof Failure && thrown.kind === 'ILLEGAL_TRANSITION';
    if (!isRejected && !isReused(thrown)) throw thrown;
    const missing = isRejected && missingEvidence(thrown);
    if (missing) return supply(courier, order, missing, phone, deadline);
    const now = await showOrder(courier.orders, order.id, deadline);
    if (now.status !== order.status || now.driverId !== order.driverId) return now;
    if (isRejected) throw thrown;
    // an earlier record of this step was kept: the office takes the step
    return takeCommand(courier, now, command, deadline, false);
  }
};
