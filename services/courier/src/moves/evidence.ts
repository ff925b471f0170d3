/** The evidence that an order requires (decision 71): supplied as a driver would, or waived. */
import { orderCommands } from '@pto/proto/order-commands';
import type { Order } from '@pto/proto/orders/v1/orders';
import { handoverOf, type MissingEvidence } from './handover.ts';
import { type Courier, callUntil, codeAt, isReused, showOrder, signed } from './orders.ts';
import { idOf, type Phone } from './phone.ts';

/** Returns the evidence that an order lacks before a step of the driver; undefined: none. */
export const missingBefore = async (
  { orders }: Courier,
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

/**
 * Records the handover that is missing, signed by the phone if there is one, or waives what it
 * cannot have. Of two calls at the same moment, both find that it is missing, and one records it.
 */
export const supply = async (
  courier: Courier,
  order: Order,
  { stage, methods }: MissingEvidence,
  phone: Phone | undefined,
  deadline: number,
): Promise<Order> => {
  const { orders } = courier;
  const code = methods.includes('code') ? await codeAt(courier, order, stage, deadline) : undefined;
  // each record of a phone is its signature
  const absent = methods.filter(
    (one) => (one === 'code' && code === undefined) || (one === 'device_signature' && !phone),
  );
  if (absent.length > 0) {
    const circumstances = { orderId: order.id, commandId: idOf(order.id, 'waive', stage) };
    const note = 'The courier of the sandbox does not have it.';
    const waived = { circumstances, stage, methods: absent, note };
    return (await orders.waiveEvidence(waived, callUntil(deadline))).order!;
  }
  const byHand = methods.filter((method) => method !== 'device_signature');
  const { request, payload } = handoverOf(order, {
    stage,
    methods: byHand.length > 0 ? byHand : ['signature'],
  });
  const driver = phone?.party.driverId ?? '';
  const commandId = idOf(order.id, 'handover', stage, driver, ...methods);
  const step = { internalType: orderCommands.handover.event.entry, payload, commandId };
  const { circumstances, call } = phone
    ? await signed(courier, order, phone, step, deadline)
    : { circumstances: { orderId: order.id, commandId }, call: callUntil(deadline) };
  try {
    return (await orders.recordHandover({ circumstances, ...request, ...(code && { code }) }, call))
      .order!;
  } catch (thrown) {
    if (!isReused(thrown)) throw thrown;
    const now = await showOrder(orders, order.id, deadline);
    if (now.sequence > order.sequence || !phone) return now;
    return supply(courier, order, { stage, methods }, undefined, deadline);
  }
};
