import assert from 'node:assert/strict';
import { until } from '@pto/testing';
import type { Receiver } from '../../../e2e/receiver.ts';
import type { operatorOf } from './local-stack.ts';

/** Number of events of an order from its submission to its end. */
const eventsOfALife = 9;

/** Returns the events of these closed orders that the receiver has not got, as `order number`. */
const missingEvents = (receiver: Receiver, ids: readonly string[]): string[] => {
  const seen = new Set(
    receiver.received.map(({ body }) => `${body.data.order.id} ${body.data.order.sequence}`),
  );
  return ids
    .flatMap((id) => Array.from({ length: eventsOfALife }, (_, n) => `${id} ${n + 1}`))
    .filter((event) => !seen.has(event));
};

/**
 * Waits until the receiver has each event of these closed orders.
 * @throws Error naming some that are missing.
 */
export const allReceived = async (
  receiver: Receiver,
  ids: readonly string[],
  deadlineMs = 90_000,
): Promise<void> => {
  const what = 'each event at its receiver';
  await until(() => missingEvents(receiver, ids).length === 0, { deadlineMs, what }).catch(
    (cause) => {
      const missing = missingEvents(receiver, ids);
      const some = missing.slice(0, 20).join(', ');
      throw new Error(`${missing.length} events did not reach the receiver: ${some}`, { cause });
    },
  );
};

/** Returns the events that came under more than one delivery id. */
export const repeatedEvents = (receiver: Receiver): string[] => {
  const byEvent = Map.groupBy(
    receiver.received,
    ({ body }) => `${body.data.order.id} ${body.data.order.sequence}`,
  );
  return [...byEvent]
    .filter(([, came]) => new Set(came.map(({ delivery }) => delivery)).size > 1)
    .map(([event]) => event);
};

/** No event came under two delivery ids, the ledger becomes valid, and no message is parked. */
export const requireSound = async (
  operator: ReturnType<typeof operatorOf>,
  receiver: Receiver,
): Promise<void> => {
  assert.deepEqual(repeatedEvents(receiver), []);
  await until(async () => (await operator('ledger', 'verify')).json.valid, { what: 'valid' });
  assert.deepEqual((await operator('dlq', 'list')).json, []);
};
