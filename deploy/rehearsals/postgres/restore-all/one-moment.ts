import assert from 'node:assert/strict';
import { until } from '@pto/testing';
import { orderBody, partner } from '../../../../e2e/partner.ts';
import { metricOf, whileScaledToNone } from '../../stage/local-stack.ts';
import type { Scene } from '../restore-one/scene.ts';
import { metricIs, restoreAll, restoreCustody } from './restore-all.ts';

const deadlineMs = 90_000;
const driver = 'Canary Kern';

/**
 * All databases go to one earlier moment: the anchor contradicts, and the log halts. Then custody
 * goes to its last commit, so that it is ahead of orders, and each violation is acknowledged.
 * @returns the ids of the affected orders.
 */
export const restoreToOneMoment = async (scene: Scene): Promise<ReadonlySet<string>> => {
  const { stage, stack, servers, partners, operator, moreClosed } = scene;
  const { get, post } = partner(stack);
  const { id: erased } = (await post('/orders', orderBody())).body;
  await operator('order', 'walk', erased, '--to', 'ACCEPTED');
  await operator('order', 'driver', erased, '--name', driver);
  await operator('order', 'walk', erased, '--to', 'CLOSED');
  const disclosed = async (): Promise<object[]> =>
    (await operator('order', 'show', erased)).json.disclosed;
  assert.equal((await disclosed()).length, 1);
  const before = partners.placed.length;
  const time = await servers.orders.now();
  await operator('erase', '--order', erased, '--reason', 'rehearsal', '--yes');
  await moreClosed(6);
  await until(async () => (await metricOf(stack, 'orders', 'outbox_unsent')) === 0, {
    what: 'the events of the lost time on the bus',
  });
  const placedSince = () => partners.placed.slice(before);

  const timeline = await servers.custody.timeline();
  await restoreAll(scene, { time });
  await metricIs(scene, 'custody', 'custody_log_halted', (value) => value === 1);
  stage.note('  custody_log_halted is 1: the anchor has later checkpoints');
  assert.equal((await operator('ledger', 'verify')).code, 1);
  const accepted = (await post('/orders', orderBody())).status;
  assert.equal(accepted, 201, 'orders are accepted meanwhile');
  const lost = [];
  for (const { id } of placedSince())
    if ((await get(`/orders/${id}`)).status === 404) lost.push(id);
  assert(lost.length > 0, 'orders of the lost time are gone');
  stage.note(`  ${lost.length} orders are gone`);
  await until(async () => (await disclosed()).length === 0, {
    deadlineMs,
    what: 'the value to be erased again',
  });
  stage.note('  the value is erased again, while the log is halted');

  stage.note('  LedgerHalted: custody to its last commit, on the timeline before');
  await restoreCustody(scene, { timeline });
  await metricIs(scene, 'custody', 'custody_log_halted', (value) => value === 0);
  const affected = new Set<string>();
  await whileScaledToNone(stage, stack, ['auditor'], async () => {
    await metricIs(scene, 'custody', 'bus_consumer_lag', (value) => value < 5);
    const { code, json } = await operator('ledger', 'verify');
    assert.equal(code, 1, 'custody is ahead of orders');
    for (const fault of json.faults) affected.add(fault.order_id);
  });
  for (const id of lost) assert(affected.has(id), `the list does not name ${id}`);
  await discardParked(scene, affected, `restore of all databases to ${time}`);
  await moreClosed(3);
  await acknowledgeOpen(scene, affected, `restore of all databases to ${time}`);
  return affected;
};

/** Discards the events of affected orders that can never be entered, until none is parked. */
const discardParked = async (
  { operator }: Scene,
  affected: ReadonlySet<string>,
  reason: string,
): Promise<void> => {
  const parked = async (): Promise<{ id: string; key: string }[]> =>
    (await operator('dlq', 'list')).json;
  for (const { id, key } of await parked()) {
    assert(affected.has(key), `an event of ${key} is parked, which is not affected`);
    await operator('dlq', 'discard', id, '--reason', reason, '--yes');
  }
};

/** Acknowledges each open violation, until none is open and verify names no other order. */
export const acknowledgeOpen = async (
  scene: Scene,
  affected: ReadonlySet<string>,
  reason: string,
): Promise<void> => {
  const { stage, operator } = scene;
  let count = 0;
  await until(
    async () => {
      const open: { id: string; order_id: string | null }[] = (
        await operator('ledger', 'violations', '--state', 'open')
      ).json;
      for (const { id, order_id } of open) {
        if (order_id) assert(affected.has(order_id), `${order_id} is reported, and not affected`);
        const which = order_id ? [order_id] : [id, '--violation'];
        await operator('ledger', 'acknowledge', ...which, '--reason', reason);
        count++;
      }
      return open.length === 0 && (await metricOf(scene.stack, 'auditor', 'custody_faults')) === 0;
    },
    { deadlineMs: 3 * deadlineMs, what: 'each violation to be acknowledged' },
  );
  const { json } = await operator('ledger', 'verify');
  const named = (json.faults as { order_id: string }[]).map(({ order_id }) => order_id);
  for (const id of named) assert(affected.has(id), `verify names ${id}, which is not affected`);
  stage.note(`  ${count} acknowledged; verify names ${new Set(named).size} orders, all affected`);
};
