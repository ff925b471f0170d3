/** docs/operators/backup-restore.md, "Orders earlier than custody". */
import assert from 'node:assert/strict';
import { until } from '@pto/testing';
import type { Loaded } from '../bed/loaded.ts';

const deadlineMs = 270_000;

interface Violation {
  readonly id: string;
  readonly order_id: string | null;
}

/**
 * Restores while the auditor is stopped, and gets the list before it runs again.
 * @returns the ids of the affected orders.
 */
export const affectedOrders = async (
  on: Loaded,
  restore: () => Promise<void>,
): Promise<ReadonlySet<string>> => {
  const affected = new Set<string>();
  await on.scaledToNone(['auditor'], async () => {
    await restore();
    const { code, json } = await on.operator('ledger', 'verify');
    assert.equal(code, 1, 'custody is ahead of orders');
    for (const { order_id } of json.faults) affected.add(order_id);
  });
  return affected;
};

/** Acknowledges each open violation, until none is open and each order that verify names is acknowledged. */
export const acknowledge = async (
  { bed, operator, metric }: Loaded,
  affected: ReadonlySet<string>,
  reason: string,
): Promise<void> => {
  const acknowledged = new Set<string>();
  await until(
    async () => {
      const { json: open } = await operator('ledger', 'violations', '--state', 'open');
      for (const { id, order_id } of open as Violation[]) {
        if (order_id) assert(affected.has(order_id), `${order_id} is reported, and not affected`);
        const which = order_id ? [order_id] : [id, '--violation'];
        await operator('ledger', 'acknowledge', ...which, '--reason', reason);
        acknowledged.add(order_id ?? id);
      }
      if (open.length > 0 || (await metric('auditor', 'custody_faults')) !== 0) return false;
      const { json } = await operator('ledger', 'verify');
      return (json.faults as Violation[]).every(({ order_id }) => acknowledged.has(order_id!));
    },
    { deadlineMs, what: 'each violation to be reported and acknowledged' },
  );
  bed.note(`  ${acknowledged.size} orders are acknowledged`);
};

/** Discards the events of affected orders that can never be entered. */
export const discardParked = async (
  { operator }: Loaded,
  affected: ReadonlySet<string>,
  reason: string,
): Promise<void> => {
  const { json } = await operator('dlq', 'list');
  for (const { id, key } of json as { id: string; key: string }[]) {
    assert(affected.has(key), `an event of ${key} is parked, which is not affected`);
    assert.equal((await operator('dlq', 'replay', id)).json.failed, id);
    assert.equal((await operator('dlq', 'discard', id, '--reason', reason, '--yes')).code, 0);
  }
  assert.deepEqual((await operator('dlq', 'list')).json, []);
};
