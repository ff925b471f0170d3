import assert from 'node:assert/strict';
import { partner } from '../../../../e2e/partner.ts';
import { whileScaledToNone } from '../../stage/local-stack.ts';
import { allReceived, repeatedEvents } from '../../stage/received.ts';
import type { Scene } from './scene.ts';

/** `webhooks` goes back: no event is missing at its receiver, and an endpoint of that time is gone. */
export const restoreWebhooksEarlier = async (scene: Scene): Promise<void> => {
  const { stage, stack, servers, receiver, partners, operator, moreClosed } = scene;
  const org = stack.file().organizations[0]!.id;
  const endpoints = async () => (await operator('endpoint', 'list', '--org', org)).json.length;
  const time = await servers.webhooks.now();
  await partner(stack).post('/webhooks', { url: `${receiver.url}/lost` });
  assert.equal(await endpoints(), 2);
  await moreClosed(6);
  await servers.webhooks.kill();
  await whileScaledToNone(stage, stack, ['webhooks'], () => servers.webhooks.restore({ time }));
  assert.equal(await endpoints(), 1, 'the endpoint of the lost time is gone');
  await moreClosed(3);
  const closed = partners.placed.filter((order) => order.closed).map(({ id }) => id);
  await allReceived(receiver, closed);
  stage.note(
    `  ${closed.length} closed orders: each event reached the receiver; ` +
      `${repeatedEvents(receiver).length} came again under a new delivery id`,
  );
  assert.deepEqual((await operator('dlq', 'list')).json, []);
  assert.equal((await operator('ledger', 'verify')).json.valid, true);
};
