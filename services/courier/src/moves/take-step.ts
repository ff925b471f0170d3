import { randomUUID } from 'node:crypto';
import { Failure } from '@pto/errors';
import { type Invented, invented } from '@pto/order-steps';
import { orderCommands } from '@pto/proto/order-commands';
import type { Order } from '@pto/proto/orders/v1/orders';
import { actionsIn, type Step } from '../plan/steps.ts';
import { supply } from './evidence.ts';
import { moveTo } from './move-to.ts';
import { type Courier, callUntil, codeAt, sendCommand, signed } from './orders.ts';
import type { Phone } from './phone.ts';

/**
 * Takes a step of a run on an order.
 * @param before the run's steps before this one.
 * @throws Failure ILLEGAL_TRANSITION if the order's status does not permit the step, and what orders
 *   rejects
 */
export const takeStep = async (
  courier: Courier,
  order: Order,
  step: Step,
  before: readonly Step[],
  deadline: number,
): Promise<void> => {
  const { orders } = courier;
  const { kind, value } = step;
  if (kind === 'to' || kind === 'office') {
    await moveTo(courier, order, value, deadline, namesAfter(before), kind === 'to');
    return;
  }
  const { status } = order;
  const takeByPhone = phoneSteps[kind];
  if (takeByPhone) {
    const phone = courier.phoneOf(order);
    if (!phone) throw new Failure('ILLEGAL_TRANSITION', 'The order has another driver.');
    await takeByPhone(courier, order, phone, step, deadline);
    return;
  }
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

type PhoneStep = (
  ...[courier, order, phone, step, deadline]: [Courier, Order, Phone, Step, number]
) => Promise<unknown>;

/** Sends a record that the phone signed while it had no network, since the step before; it may be kept. */
const sendLate: PhoneStep = async (courier, order, phone, { kind, afterMs: lateMs }, deadline) => {
  const isStart = kind === 'late_start';
  const { event, call: row } = orderCommands[isStart ? 'startTransport' : 'arrive'];
  const fields = isStart ? {} : { stop: 'dropoff' };
  const step = { internalType: event.entry, payload: fields, commandId: randomUUID() };
  const { circumstances, call } = await signed(courier, order, phone, step, deadline, lateMs);
  try {
    await sendCommand(() => courier.orders[row.rpc]({ circumstances, ...fields }, call));
  } catch (thrown) {
    if (!(thrown instanceof Failure) || thrown.details?.kept_entry === undefined) throw thrown;
  }
};

/** Longer than an order's last event and the change of its row are apart. */
const beforeMs = 1000;

/** Revokes a phone from just before the order's last change. */
const revoke: PhoneStep = async ({ orders }, order, { party }, _, deadline) => {
  const from = new Date(Date.parse(order.updatedAt) - beforeMs).toISOString();
  const { driverId, key } = party;
  await orders.recordDeviceRevocation({ driverId, key, from }, callUntil(deadline));
};

/** Hands over with the code of the ward's page, or enters another one, as a typing error. */
const enterCode: PhoneStep = async (courier, order, phone, { kind, value: stage }, deadline) => {
  const right = await codeAt(courier, order, stage, deadline);
  if (right === undefined)
    throw new Failure('ILLEGAL_TRANSITION', `The page of the ${stage} shows no code.`);
  if (kind === 'code') return supply(courier, order, { stage, methods: [kind] }, phone, deadline);
  const code = `${(Number(right) + 1) % 10_000}`.padStart(4, '0');
  const call = { ...callUntil(deadline), party: phone.party };
  const check = courier.orders.checkHandoverCode({ orderId: order.id, stage, code }, call);
  return check.catch((thrown) => {
    if (!(thrown instanceof Failure) || thrown.kind !== 'VALIDATION') throw thrown;
  });
};

/** The steps that need the phone of the order's driver. */
const phoneSteps: Partial<Record<Step['kind'], PhoneStep>> = {
  ...{ late_start: sendLate, late_arrival: sendLate, revoke },
  ...{ wrong_code: enterCode, code: enterCode },
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
