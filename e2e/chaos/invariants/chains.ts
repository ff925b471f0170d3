import { verifyChain } from '@pto/custody-verifier';
import type { Invariant, OrderSeen, SlotSeen } from '../observation.ts';
import { statusAfter } from '../order-model.ts';

/** Each chain verifies, is proven, is as long as its order and ends in the order's status. */
export const chainsAgreeWithOrders: Invariant = ({ orders, slots }) => {
  const slotOf = new Map(slots.map((slot) => [slot.name, slot]));
  return orders.flatMap((order) => {
    const verdict = verifyChain(order.id, order.chain);
    const end = order.chain.reduce(
      (status, { internal_type }) => statusAfter[internal_type] ?? status,
      'DRAFT',
    );
    const of = `the chain of ${order.id}`;
    return [
      ...(verdict.valid ? [] : [`${of} is not valid at ${verdict.index}: ${verdict.reason}`]),
      ...(order.chain.length === order.sequence
        ? []
        : [`${of} has ${order.chain.length} entries of ${order.sequence}`]),
      ...(end === order.status ? [] : [`${of} ends ${end}, the order is ${order.status}`]),
      ...(order.proof === 'proven' ? [] : [`the proof of ${order.id} is ${order.proof}`]),
      ...marksFaults(order, slotOf.get(order.externalId ?? '')),
    ];
  });
};

/** An accepted command has one entry, at the place that its response names; a rejected one, none. */
const marksFaults = (order: OrderSeen, slot: SlotSeen | undefined): string[] => {
  const places = new Map<string, number[]>();
  for (const [n, { payload }] of order.chain.entries()) {
    const mark = (payload as { reference?: string } | null)?.reference;
    if (mark !== undefined) places.set(mark, [...(places.get(mark) ?? []), n + 1]);
  }
  const sent = new Map((slot?.history ?? []).map((one) => [one.mark, one]));
  const strange = [...places].flatMap(([mark, found]) => [
    ...(found.length > 1 ? [`${order.id}: ${mark} has the entries ${found}`] : []),
    ...(sent.has(mark) ? [] : [`${order.id}: nobody sent ${mark}`]),
  ]);
  const wrong = [...sent.values()].flatMap(({ mark, outcome }) => {
    const place = places.get(mark)?.[0];
    if (outcome.kind === 'rejected' && place !== undefined)
      return [`${order.id}: ${mark} was rejected and is entry ${place}`];
    const stated = outcome.kind === 'accepted' ? outcome.sequence : undefined;
    // a change to a DRAFT has no entry, and its response states 0 events
    if (!stated) return [];
    return place === stated ? [] : [`${order.id}: ${mark} is entry ${place}, stated ${stated}`];
  });
  return [...strange, ...wrong];
};
