import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '@pto/errors';
import { type Invented, invented, nextCommand } from '@pto/order-steps';
import { statusPath } from '@pto/proto/order-commands';
import type { OrderCommandService } from '@pto/proto/orders/v1/commands';
import type { Order } from '@pto/proto/orders/v1/orders';
import type { ConnectClient } from '@pto/rpc';
import { handoverOf, missingEvidence } from './handover.ts';

/** The commands of orders, which move an order as an operator's commands do. */
export type Orders = ConnectClient<typeof OrderCommandService>;

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
 * Sends a command with an id of its own. While orders does not respond, such as when the process of
 * the connection ends, sends it again, at most three times in all: orders carries it out once.
 */
const sendCommand = async (
  orderId: string,
  send: (circumstances: { orderId: string; commandId: string }) => Promise<WithOrder>,
): Promise<WithOrder> => {
  const circumstances = { orderId, commandId: randomUUID() };
  for (let tries = 1; ; tries++) {
    try {
      return await send(circumstances);
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
 * @throws Failure ILLEGAL_TRANSITION for a cancelled order, and what orders rejects
 */
export const moveTo = async (
  orders: Orders,
  start: Order,
  target: string,
  deadline: number,
  names: Invented = invented,
): Promise<Order> => {
  const end = placeOf(target);
  let order = start;
  for (let n = 0; n < commandsMax; n++) {
    if (placeOf(order.status) >= end) return order;
    const command = nextCommand(order, names);
    if (!command) throw cannotBecome(order.status, target);
    order = await takeCommand(orders, order, command, deadline);
  }
  throw new Failure('SERVICE_UNAVAILABLE', 'The order is moved by others at the same time.', {
    retryAfterSeconds: 1,
  });
};

const cannotBecome = (status: string, target: string): Failure =>
  new Failure('ILLEGAL_TRANSITION', `The order is ${status} and cannot become ${target}.`, {
    details: { status, target },
  });

/** Evidence of a ward's page and of a driver's phone, which the courier does not have. */
const ofPersons: readonly string[] = ['code', 'device_signature'];

/**
 * Sends a command, and returns the order after it. Returns the order of now if the command was
 * rejected because another caller has changed the status since `order` was read. If the order
 * requires evidence for the command, records the missing handover in its place, or waives what no
 * courier has.
 */
const takeCommand = async (
  orders: Orders,
  order: Order,
  [rpc, fields]: NonNullable<ReturnType<typeof nextCommand>>,
  deadline: number,
): Promise<Order> => {
  try {
    const { order: moved } = await sendCommand(order.id, (circumstances) =>
      orders[rpc]({ circumstances, ...fields }, callUntil(deadline)),
    );
    return moved!;
  } catch (thrown) {
    const isRejected = thrown instanceof Failure && thrown.kind === 'ILLEGAL_TRANSITION';
    if (!isRejected) throw thrown;
    const missing = missingEvidence(thrown);
    if (missing) {
      // of two calls at the same moment, both find that the handover is missing
      const { stage, methods } = missing;
      const absent = methods.filter((method) => ofPersons.includes(method));
      if (absent.length > 0) {
        const circumstances = {
          orderId: order.id,
          commandId: commandIdOf(order.id, 'waive', stage),
        };
        const waived = { circumstances, stage, methods: absent, note: 'The sandbox has no ward.' };
        return (await orders.waiveEvidence(waived, callUntil(deadline))).order!;
      }
      const commandId = commandIdOf(order.id, 'handover', stage, ...methods);
      const circumstances = { orderId: order.id, commandId };
      const handover = { circumstances, ...handoverOf(order, missing) };
      return (await orders.recordHandover(handover, callUntil(deadline))).order!;
    }
    const now = await showOrder(orders, order.id, deadline);
    if (now.status === order.status) throw thrown;
    return now;
  }
};

/**
 * Returns the id of a command, the same for all processes and calls that mean the same command.
 * Orders carries out the command once for its id.
 * @param names what identifies the command.
 * @returns a UUID of version 8 (RFC 9562): the beginning of a SHA-256.
 */
const commandIdOf = (...names: readonly string[]): string => {
  const bytes = createHash('sha256').update(JSON.stringify(names)).digest().subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x80;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
};
