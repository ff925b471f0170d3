import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '@pto/errors';
import { type Invented, invented, type NextCommand, nextCommand } from '@pto/order-steps';
import { nextCommandOf, orderCommands, statusPath } from '@pto/proto/order-commands';
import type { OrderCommandService } from '@pto/proto/orders/v1/commands';
import type { Order } from '@pto/proto/orders/v1/orders';
import type { ConnectClient } from '@pto/rpc';
import { handoverOf, type MissingEvidence, missingEvidence } from './handover.ts';
import { driverIdOf, idOf, type Phone, type PhoneOf } from './phone.ts';

/** The commands of orders, which move an order as an operator's commands do. */
export type Orders = ConnectClient<typeof OrderCommandService>;

/** Who moves an order: the office by its commands, and the driver by a phone. */
export interface Courier {
  readonly orders: Orders;
  readonly phoneOf: PhoneOf;
}

const callMaxMs = 5000;
const triesMax = 3;
const pauseMs = 200;

/**
 * Returns the options of a call that ends at `deadline`, a time of `performance.now()`, and takes
 * 5 s at most. @throws Failure DEADLINE_EXCEEDED after the deadline
 */
export const callUntil = (deadline: number): { readonly timeoutMs: number } => {
  const leftMs = Math.floor(deadline - performance.now());
  if (leftMs < 1) throw new Failure('DEADLINE_EXCEEDED', 'This took too long.');
  return { timeoutMs: Math.min(callMaxMs, leftMs) };
};

/** The response of each command. */
interface WithOrder {
  readonly order?: Order | undefined;
}

/**
 * Sends a command, which has an id. While orders does not respond, such as when the process of the
 * connection ends, sends it again, at most three times in all: orders carries it out once.
 */
const sendCommand = async (send: () => Promise<WithOrder>): Promise<WithOrder> => {
  for (let tries = 1; ; tries++) {
    try {
      return await send();
    } catch (thrown) {
      const isUnavailable = thrown instanceof Failure && thrown.kind === 'SERVICE_UNAVAILABLE';
      if (!isUnavailable || tries === triesMax) throw thrown;
      await sleep(pauseMs * tries);
    }
  }
};

/** Returns an order. @throws Failure NOT_FOUND */
export const showOrder = async (
  orders: Orders,
  orderId: string,
  deadline: number,
): Promise<Order> => (await orders.showOrder({ orderId }, callUntil(deadline))).order!;

/**
 * Returns an order of the organization.
 * @throws Failure NOT_FOUND, for another organization's order, too (decision 21)
 */
export const ownedOrder = async (
  orders: Orders,
  { orderId, organizationId }: { readonly orderId: string; readonly organizationId: string },
  deadline: number,
): Promise<Order> => {
  const order = await showOrder(orders, orderId, deadline);
  if (order.organizationId === organizationId) return order;
  throw new Failure('NOT_FOUND', 'There is no such order.', { details: { resource: 'order' } });
};

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

/** Evidence of a ward's page, which the courier does not see. */
const ofWards = 'code';
/** Evidence of each record of a phone. */
const ofPhones = 'device_signature';

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
 * requires evidence for the command, records the missing handover in its place, or waives what no
 * courier has. The steps of a driver are signed by the driver's phone.
 */
const takeCommand = async (
  courier: Courier,
  order: Order,
  command: NextCommand,
  deadline: number,
  isByPhone: boolean,
): Promise<Order> => {
  const { orders } = courier;
  const [rpc, fields] = command;
  const phone = isByPhone ? courier.phoneOf(order) : undefined;
  const stage = phone && driverSteps[rpc];
  try {
    if (phone && stage !== undefined) {
      const missing = stage && (await missingOf(orders, order, phone, stage, deadline));
      if (missing) return await supply(orders, order, missing, phone, deadline);
      const { sealIds } = fields;
      const circumstances = await phone.record({
        internalType: nextCommandOf(order.status)!.event.entry,
        ...(sealIds !== undefined && { payload: { seal_ids: sealIds } }),
        at: new Date().toISOString(),
        seen: await seenBy(orders, order, phone, deadline),
        // an order takes each step of a driver once, so that of two calls one is sent
        commandId: idOf(rpc, order.id, phone.party.driverId),
      });
      const { order: moved } = await sendCommand(() =>
        orders[rpc]({ circumstances, ...fields }, { ...callUntil(deadline), party: phone.party }),
      );
      return moved!;
    }
    const circumstances = { orderId: order.id, commandId: randomUUID() };
    const { order: moved } = await sendCommand(() =>
      orders[rpc]({ circumstances, ...fields }, callUntil(deadline)),
    );
    return moved!;
  } catch (thrown) {
    const isRejected = thrown instanceof Failure && thrown.kind === 'ILLEGAL_TRANSITION';
    if (!isRejected && !isReused(thrown)) throw thrown;
    const missing = isRejected && missingEvidence(thrown);
    if (missing) return supply(orders, order, missing, phone, deadline);
    const now = await showOrder(orders, order.id, deadline);
    if (now.status !== order.status || now.driverId !== order.driverId) return now;
    if (isRejected) throw thrown;
    // an earlier record of this step was kept: the office takes the step
    return takeCommand(courier, now, command, deadline, false);
  }
};

/** Returns the evidence that a step of a driver lacks: a record without it would be kept. */
const missingOf = async (
  orders: Orders,
  { id, requiredEvidenceJson }: Order,
  { party }: Phone,
  stage: string,
  deadline: number,
): Promise<MissingEvidence | undefined> => {
  if (requiredEvidenceJson === undefined) return undefined;
  const open = await orders.listOpenOrders({}, { ...callUntil(deadline), party });
  const methods = open.orders.find((one) => one.id === id)?.missingEvidence ?? [];
  return methods.length > 0 ? { stage, methods } : undefined;
};

/** Returns the newest entry that the phone shows. */
const seenBy = async (
  orders: Orders,
  { id: orderId }: Order,
  { party }: Phone,
  deadline: number,
) => {
  const { head } = await orders.showOrder({ orderId }, { ...callUntil(deadline), party });
  return head && head.entry > 0 ? { entry: head.entry, hash: head.hash } : null;
};

/**
 * Records the handover that is missing, signed by the phone if there is one, or waives what it
 * cannot have. Of two calls at the same moment, both find that it is missing, and one records it.
 */
const supply = async (
  orders: Orders,
  order: Order,
  { stage, methods }: MissingEvidence,
  phone: Phone | undefined,
  deadline: number,
): Promise<Order> => {
  const idFor = (...names: readonly string[]) => idOf(order.id, ...names);
  const absent = methods.filter(
    (method) => method === ofWards || (method === ofPhones && phone === undefined),
  );
  if (absent.length > 0) {
    const circumstances = { orderId: order.id, commandId: idFor('waive', stage, ...absent) };
    const note = 'The courier of the sandbox does not have it.';
    const waived = { circumstances, stage, methods: absent, note };
    return (await orders.waiveEvidence(waived, callUntil(deadline))).order!;
  }
  const byHand = methods.filter((method) => method !== ofPhones);
  const { request, payload } = handoverOf(order, {
    stage,
    methods: byHand.length > 0 ? byHand : ['signature'],
  });
  // a phone signs otherwise each time, so that the second of two requests is no repetition
  const commandId = idFor('handover', stage, phone?.party.driverId ?? '', ...methods);
  const circumstances = phone
    ? await phone.record({
        ...{ internalType: orderCommands.handover.event.entry, payload, commandId },
        at: new Date().toISOString(),
        seen: await seenBy(orders, order, phone, deadline),
      })
    : { orderId: order.id, commandId };
  const options = { ...callUntil(deadline), party: phone?.party };
  try {
    return (await orders.recordHandover({ circumstances, ...request }, options)).order!;
  } catch (thrown) {
    if (!isReused(thrown)) throw thrown;
    const now = await showOrder(orders, order.id, deadline);
    if (now.sequence > order.sequence || !phone) return now;
    return supply(orders, order, { stage, methods }, undefined, deadline);
  }
};

const isReused = (thrown: unknown): boolean =>
  thrown instanceof Failure && thrown.kind === 'IDEMPOTENCY_KEY_REUSED';

/**
 * Sends a record that the phone signed while it had no network, `lateMs` ago.
 * @throws Failure ILLEGAL_TRANSITION if another driver has the order; what orders rejects, but not a
 *   record that the history keeps
 */
export const sendLate = async (
  { orders, phoneOf }: Courier,
  order: Order,
  rpc: 'startTransport' | 'recordArrival',
  lateMs: number,
  deadline: number,
): Promise<void> => {
  const phone = phoneOf(order);
  if (!phone) throw new Failure('ILLEGAL_TRANSITION', 'The order has another driver.');
  const fields = rpc === 'recordArrival' ? { stop: 'dropoff' } : {};
  const { startTransport, arrive } = orderCommands;
  const circumstances = await phone.record({
    internalType: (rpc === 'recordArrival' ? arrive : startTransport).event.entry,
    ...{ payload: fields, at: new Date(Date.now() - lateMs).toISOString() },
    commandId: randomUUID(),
  });
  const options = { ...callUntil(deadline), party: phone.party };
  try {
    await sendCommand(() => orders[rpc]({ circumstances, ...fields }, options));
  } catch (thrown) {
    if (!(thrown instanceof Failure) || thrown.details?.kept_entry === undefined) throw thrown;
  }
};

/**
 * Revokes the phone of an order's driver, from just before the order's last change.
 * @throws Failure ILLEGAL_TRANSITION if another driver has the order
 */
export const revokePhone = async (
  { orders, phoneOf }: Courier,
  order: Order,
  deadline: number,
): Promise<void> => {
  const phone = phoneOf(order);
  if (!phone) throw new Failure('ILLEGAL_TRANSITION', 'The order has another driver.');
  const { driverId, key } = phone.party;
  const from = new Date(Date.parse(order.updatedAt) - beforeMs).toISOString();
  await orders.recordDeviceRevocation({ driverId, key, from }, callUntil(deadline));
};

/** Longer than an order's last event and its row are apart. */
const beforeMs = 1000;
