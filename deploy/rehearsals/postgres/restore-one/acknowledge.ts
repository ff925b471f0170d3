import assert from 'node:assert/strict';
import { until } from '@pto/testing';
import { metricOf } from '../../stage/local-stack.ts';
import type { Scene } from './scene.ts';

const deadlineMs = 60_000;

/** Acknowledges the violations of these orders, and sees that no others are open or found. */
export const acknowledgeAll = async (
  { stack, operator }: Pick<Scene, 'stack' | 'operator'>,
  affected: ReadonlySet<string>,
  reason: string,
): Promise<void> => {
  const open = async (): Promise<{ order_id: string }[]> =>
    (await operator('ledger', 'violations', '--state', 'open')).json;
  const acknowledged = new Set<string>();
  await until(
    async () => {
      for (const id of new Set((await open()).map(({ order_id }) => order_id))) {
        assert(affected.has(id), `the auditor reports ${id}, which is not affected`);
        await operator('ledger', 'acknowledge', id, '--reason', reason);
        acknowledged.add(id);
      }
      const left = await metricOf(stack, 'auditor', 'custody_faults');
      return acknowledged.size === affected.size && left === 0;
    },
    { deadlineMs, what: 'each violation to be reported and acknowledged' },
  );
  const { code, json } = await operator('ledger', 'verify');
  assert.equal(code, 1, 'the ledger and orders still differ');
  for (const { order_id } of json.faults)
    assert(acknowledged.has(order_id), `a violation of ${order_id} is not acknowledged`);
};
