import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '@pto/testing';
import { metricOf } from '../../stage/local-stack.ts';
import type { Scene } from '../restore-one/scene.ts';
import { acknowledgeOpen } from './one-moment.ts';
import { metricIs, restoreCustody } from './restore-all.ts';

const deadlineMs = 90_000;
const anchor = 'custody-anchor.jsonl';

/**
 * Custody goes back together with its anchor, so that it signs a second history, while orders stays:
 * the witness and the auditor contradict. Then custody and the anchor go back to the first history,
 * which the auditor's state has not left.
 */
export const restoreWithTheAnchor = async (
  scene: Scene,
  affected: ReadonlySet<string>,
): Promise<void> => {
  const { stage, stack, servers, operator, moreClosed } = scene;
  const copies = {
    earlier: join(stage.folder, 'anchor-earlier'),
    last: join(stage.folder, 'anchor'),
  };
  const filesOf = (folder: string) => readdirSync(folder).filter((name) => name.startsWith(anchor));
  const copy = (from: string, to: string): void => {
    mkdirSync(to, { recursive: true });
    for (const name of filesOf(to)) rmSync(join(to, name));
    for (const name of filesOf(from)) cpSync(join(from, name), join(to, name));
  };
  const contradictions = async () =>
    (await metricOf(stack, 'custody', 'custody_witness_failures_total')) ?? 0;
  const time = await servers.custody.now();
  copy(stack.dir, copies.earlier);
  await moreClosed(5);

  const timeline = await servers.custody.timeline();
  await restoreCustody(scene, { time }, () => {
    copy(stack.dir, copies.last);
    copy(copies.earlier, stack.dir);
  });
  await metricIs(scene, 'custody', 'custody_log_halted', (value) => value === 0);
  await moreClosed(3);
  await until(async () => (await contradictions()) > 0, { deadlineMs, what: 'WitnessContradicts' });
  stage.note(
    `  the witness contradicts: custody_witness_failures_total is ${await contradictions()}`,
  );
  await metricIs(scene, 'auditor', 'custody_faults', (value) => value > 0);
  assert.equal((await metricOf(stack, 'custody', 'custody_log_halted')) ?? 0, 0);
  stage.note('  the auditor reports it; custody cannot: database and anchor agree');

  stage.note('  WitnessContradicts: custody and the anchor to the first history');
  await restoreCustody(scene, { timeline }, () => copy(copies.last, stack.dir));
  await metricIs(scene, 'custody', 'custody_log_halted', (value) => value === 0);
  await moreClosed(3);
  await metricIs(scene, 'custody', 'custody_witness_behind_seconds', (value) => value < 5);
  await acknowledgeOpen(scene, affected, `restore of custody and its anchor to ${time}`);
  assert.deepEqual((await operator('dlq', 'list')).json, []);
};
