import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { rootOf } from '@pto/custody-verifier';
import { integrate, integrateMax } from '../../src/log/integrate.ts';
import { nodesOf } from '../../src/log/stored-log.ts';
import { CompactRange } from '../../src/verification/compact-range.ts';
import { startLog } from '../order-index/a-log.ts';

let log: Awaited<ReturnType<typeof startLog>>;
beforeAll(async () => {
  log = await startLog();
});
afterAll(() => log.stop());

test('entries take their places in the order of their queueing, over several transactions', async () => {
  const orders = log.newOrders(300);
  await log.append([...orders, ...orders.toReversed(), ...orders]);
  await log.append(Array.from({ length: integrateMax + 100 }, (_, n) => orders[n % 7]!));
  const stored = await log.db.query(
    'select leaf_index, order_id, sequence, event_hash from log_leaves order by leaf_index',
  );
  expect(stored).toEqual(
    log.leaves.map(({ orderId, sequence, eventHash }, n) => ({
      leaf_index: String(n),
      order_id: orderId,
      sequence,
      event_hash: eventHash,
    })),
  );
  const range = new CompactRange();
  for (const { eventHash } of log.leaves) range.add(Buffer.from(eventHash, 'hex'));
  expect(await rootOf(log.leaves.length, nodesOf(log.db))).toEqual(range.root);
});

test('an empty queue adds no leaf', async () => {
  expect(await integrate(log.db)).toBe(0);
});
