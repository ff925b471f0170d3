/** What must hold after anything that may have happened. */
import { expect } from '@jest/globals';
import { verifyChain } from '@pto/custody-verifier';
import { until } from '@pto/testing';
import { byEvent, eventsOf, eventsOfALife, missingEvents, repeatedEvents } from './deliveries.ts';
import type { LocalStack } from './local-stack.ts';
import { operator } from './operator.ts';
import { partner } from './partner.ts';
import type { Receiver } from './receiver.ts';

/** All orders of the first organization, page by page. */
export const everyOrder = async (stack: LocalStack): Promise<{ id: string; status: string }[]> => {
  const { get } = partner(stack);
  const all: { id: string; status: string }[] = [];
  let cursor: string | null = null;
  do {
    const query: string = cursor ? `&cursor=${encodeURIComponent(cursor)}` : '';
    const { body } = await get(`/orders?limit=100${query}`);
    all.push(...body.data);
    cursor = body.next_cursor;
  } while (cursor);
  return all;
};

/** Every order is there once, CLOSED, with a whole chain that an outsider can recompute. */
export const expectWholeLives = async (
  stack: LocalStack,
  ids: readonly string[],
): Promise<void> => {
  const orders = await everyOrder(stack);
  expect(orders.map((order) => order.id).sort()).toEqual([...ids].sort());
  expect(new Set(orders.map((order) => order.status))).toEqual(new Set(['CLOSED']));
  const { get } = partner(stack);
  for (const id of ids) {
    const { body } = await get(`/orders/${id}/events`);
    expect(body).toHaveLength(eventsOfALife);
    expect(body.at(-1).type).toBe('order.closed');
    expect(verifyChain(id, body).valid).toBe(true);
  }
  // also compares each entry with the order that has it, so there is none besides
  const { code, json } = await operator(stack, 'ledger', 'verify');
  expect([code, json]).toEqual([0, expect.objectContaining({ valid: true })]);
  expect((json as { orders: number }).orders).toBeGreaterThanOrEqual(ids.length);
};

/** Every event has reached the receiver, signed, and none under two delivery ids. */
export const expectDelivered = async (
  receiver: Receiver,
  ids: readonly string[],
  deadlineMs = 60_000,
): Promise<void> => {
  await until(() => missingEvents(receiver, ids).length === 0, {
    deadlineMs,
    what: `${eventsOf(ids).length} events at the receiver`,
  });
  expect([...byEvent(receiver).keys()].sort()).toEqual(eventsOf(ids).sort());
  expect(repeatedEvents(receiver)).toEqual([]);
  const signed = await Promise.all(receiver.received.map((delivery) => delivery.signed));
  expect(signed).toEqual(signed.map(() => true));
};
