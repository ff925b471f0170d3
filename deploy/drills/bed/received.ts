import assert from 'node:assert/strict';
import { until } from '@pto/testing';
import { missingEvents, repeatedEvents } from '../../../e2e/deliveries.ts';
import type { Receiver } from '../../../e2e/receiver.ts';
import type { Operator } from './stack.ts';

/**
 * Waits until the receiver has each event of these closed orders.
 * @throws Error naming some that are missing.
 */
export const allReceived = async (
  receiver: Receiver,
  ids: readonly string[],
  deadlineMs = 90_000,
): Promise<void> => {
  const missing = () => missingEvents(receiver, ids);
  const what = 'each event at its receiver';
  await until(() => missing().length === 0, { deadlineMs, what }).catch((cause) => {
    const some = missing().slice(0, 20).join(', ');
    throw new Error(`${missing().length} events did not reach the receiver: ${some}`, { cause });
  });
};

/** No event came under two delivery ids, the ledger becomes valid, and no message is parked. */
export const requireSound = async (operator: Operator, receiver: Receiver): Promise<void> => {
  assert.deepEqual(repeatedEvents(receiver), []);
  await requireValid(operator);
};

/** The ledger becomes valid, and no message is parked. */
export const requireValid = async (operator: Operator): Promise<void> => {
  await until(async () => (await operator('ledger', 'verify')).json.valid, {
    deadlineMs: 90_000,
    what: 'a valid ledger',
  });
  assert.deepEqual((await operator('dlq', 'list')).json, []);
};
