import assert from 'node:assert/strict';
import { until } from '@pto/testing';
import { partner } from '../../../../e2e/partner.ts';
import { allReceived, repeatedEvents } from '../../stage/received.ts';
import type { Scene } from '../restore-one/scene.ts';
import { restoreAll } from './restore-all.ts';

/** All databases go to their last commits: nothing is lost, and the ledger is valid. */
export const restoreToLastCommit = async (scene: Scene): Promise<void> => {
  const { stage, stack, receiver, partners, operator, moreClosed } = scene;
  await restoreAll(scene);
  await moreClosed(5);
  await until(async () => (await operator('ledger', 'verify')).json.valid, { what: 'valid' });
  assert.deepEqual((await operator('ledger', 'violations', '--state', 'open')).json, []);
  assert.deepEqual((await operator('dlq', 'list')).json, []);
  const placed = [...partners.placed];
  for (const { id } of placed)
    assert.equal((await partner(stack).get(`/orders/${id}`)).status, 200, `order ${id}`);
  const closed = placed.filter((order) => order.closed).map(({ id }) => id);
  await allReceived(receiver, closed);
  stage.note(
    `  ${placed.length} acknowledged orders are there; ` +
      `${repeatedEvents(receiver).length} events came under two delivery ids`,
  );
};
