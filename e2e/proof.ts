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

interface LedgerSize {
  readonly orders: number;
  readonly entries: number;
}

/** What the ledger of a stack holds that has had other orders. */
export const ledgerSize = async (stack: LocalStack): Promise<LedgerSize> =>
  (await operator(stack, 'ledger', 'verify')).json;

/**
 * Every order is there once, CLOSED, with a whole chain that an outsider can recompute, and the ledger
 * has nothing else.
 * @param before what it held before these orders.
 */
export const expectWholeLives = async (
  stack: LocalStack,
  ids: readonly string[],
  before: LedgerSize = { orders: 0, entries: 0 },
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
  expect(await operator(stack, 'ledger', 'verify')).toMatchObject({
    code: 0,
    json: {
      valid: true,
      orders: before.orders + ids.length,
      entries: before.entries + ids.length * eventsOfALife,
    },
  });
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
