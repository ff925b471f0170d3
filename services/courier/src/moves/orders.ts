import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '@pto/errors';
import { codeSides } from '@pto/proto/order-commands';
import { OrderCommandService } from '@pto/proto/orders/v1/commands';
import { type Order, OrderService } from '@pto/proto/orders/v1/orders';
import { type ConnectClient, connectClient } from '@pto/rpc';
import type { Phone, PhoneOf } from './phone.ts';

/**
 * The commands of orders, which move an order as an operator's commands do, and what the page of a
 * ward's link reads.
 */
export type Orders = ConnectClient<typeof OrderCommandService> &
  Pick<ConnectClient<typeof OrderService>, 'getHandoverCode'>;

/** Opens the RPCs of orders that the courier calls. */
export const openOrders = (options: Parameters<typeof connectClient>[1]): Orders => {
  const { getHandoverCode } = connectClient(OrderService, options);
  return { ...connectClient(OrderCommandService, options), getHandoverCode };
};

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
export const sendCommand = async (send: () => Promise<WithOrder>): Promise<WithOrder> => {
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

/** Whether the command id was used with another signature: another call has sent the record. */
export const isReused = (thrown: unknown): boolean =>
  thrown instanceof Failure && thrown.kind === 'IDEMPOTENCY_KEY_REUSED';

/** Returns an order. @throws Failure NOT_FOUND */
export const showOrder = async (
  orders: Orders,
  orderId: string,
  deadline: number,
): Promise<Order> => (await orders.showOrder({ orderId }, callUntil(deadline))).order!;

/** Returns the code that the page of a ward shows at a stage (decision 86); undefined: none. */
export const codeAt = async (
  { orders }: Courier,
  { id, organizationId }: Order,
  stage: string,
  deadline: number,
): Promise<string | undefined> => {
  const side = codeSides[stage as keyof typeof codeSides];
  if (!side) return undefined;
  return (await orders.getHandoverCode({ organizationId, id, side }, callUntil(deadline))).code;
};

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

/**
 * Signs a step of the driver.
 * @param lateMs how long ago the phone recorded it without a network, when it saw no entries.
 * @returns the metadata and the options of the command's call.
 */
export const signed = async (
  { orders }: Courier,
  order: Order,
  phone: Phone,
  step: Pick<Parameters<Phone['record']>[0], 'internalType' | 'payload' | 'commandId'>,
  deadline: number,
  lateMs = 0,
) => {
  const call = () => ({ ...callUntil(deadline), party: phone.party });
  const { head } = lateMs > 0 ? {} : await orders.showOrder({ orderId: order.id }, call());
  const seen = head && head.entry > 0 ? { entry: head.entry, hash: head.hash } : null;
  const at = new Date(Date.now() - lateMs).toISOString();
  return { circumstances: await phone.record({ ...step, at, seen }), call: call() };
};
