import assert from 'node:assert/strict';
import { until } from '@pto/testing';
import { metricOf, whileScaledToNone } from '../../stage/local-stack.ts';
import type { Scene } from './scene.ts';

const deadlineMs = 60_000;

/**
 * `custody` goes back: the log halts, orders are accepted, and a restore to the last commit ends the
 * halt without a violation.
 */
export const restoreCustodyEarlier = async (scene: Scene): Promise<void> => {
  const { stage, stack, servers, partners, operator, moreClosed } = scene;
  const signed = async () => {
    const origin = new URL(stack.file().gateways[0]!).origin;
    return Number((await (await fetch(`${origin}/custody/checkpoint`)).text()).split('\n')[1]);
  };
  const time = await servers.custody.now();
  const before = await signed();
  await moreClosed(5);
  await until(async () => (await signed()) > before, { what: 'a checkpoint of the lost time' });
  await servers.custody.kill();
  await whileScaledToNone(stage, stack, ['custody', 'auditor'], () =>
    servers.custody.restore({ time }),
  );
  await until(async () => (await metricOf(stack, 'custody', 'custody_log_halted')) === 1, {
    deadlineMs,
    what: 'the log to halt',
  });
  stage.note('  custody_log_halted is 1: nothing is appended');
  const accepted = partners.placed.length;
  await until(() => partners.placed.length >= accepted + 5, { what: 'orders to be accepted' });
  stage.note('  orders are accepted meanwhile; their events wait on the bus');
  await until(async () => ((await metricOf(stack, 'auditor', 'custody_faults')) ?? 0) > 0, {
    deadlineMs,
    what: 'the auditor to report the missing entries',
  });
  assert.equal((await operator('ledger', 'verify')).code, 1);

  stage.note('  LedgerHalted: restore to the last commit, on the timeline before the restore');
  await servers.custody.kill();
  await whileScaledToNone(stage, stack, ['custody', 'auditor'], () =>
    servers.custody.restore({ timeline: '1' }),
  );
  await until(async () => (await metricOf(stack, 'custody', 'custody_log_halted')) === 0, {
    deadlineMs,
    what: 'the log to continue',
  });
  await moreClosed(3);
  await until(
    async () => (await operator('ledger', 'violations', '--state', 'open')).json.length === 0,
    {
      deadlineMs,
      what: 'the auditor to resolve the violations',
    },
  );
  await until(async () => (await operator('ledger', 'verify')).json.valid, {
    deadlineMs,
    what: 'a valid ledger',
  });
  assert.deepEqual((await operator('dlq', 'list')).json, []);
};
