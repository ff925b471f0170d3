/**
 * | Fault | Expected |
 * |---|---|
 * | Kafka deletes messages that webhooks has not read, as a retention shorter than the lag does | `bus_messages_lost_total` counts them exactly (alert MessagesLost); later events are delivered; nothing is parked |
 * | The operator publishes them again from custody's outbox, as the runbook says | every event is delivered once |
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { custodyEventsTopic } from '@pto/proto/topics';
import { createOrder, walkOrder } from '../../load.ts';
import type { Mesh } from '../../mesh.ts';
import { partner } from '../../partner.ts';
import { expectDelivered } from '../../proof.ts';
import { type Receiver, startReceiver } from '../../receiver.ts';
import { whileStopped } from '../kafka.ts';
import { asSuperuser, drained, metric, startStack } from '../stack.ts';

let mesh: Mesh;
let receiver: Receiver;
beforeAll(async () => {
  mesh = await startStack();
  receiver = await startReceiver(mesh);
  const { body } = await partner(mesh).post('/webhooks', { url: receiver.url });
  receiver.state.secret = body.secret;
});
afterAll(async () => {
  await receiver?.stop();
  await mesh?.stop();
  mesh?.forget();
});

const live = async (name: string): Promise<string> => {
  const id = await createOrder(mesh, name);
  await walkOrder(mesh, id);
  return id;
};

test('messages that are deleted before webhooks reads them are counted and can be sent again', async () => {
  const ids = [await live('before')];
  await expectDelivered(receiver, ids);
  await drained(mesh);
  const begun = new Date();
  let lost = '';
  await whileStopped(mesh, 'webhooks', async (admin) => {
    lost = await live('lost');
    await drained(mesh, ['orders', 'custody']);
    const offsets = await admin.fetchTopicOffsets(custodyEventsTopic);
    await admin.deleteTopicRecords({
      topic: custodyEventsTopic,
      partitions: offsets.map(({ partition, high }) => ({ partition, offset: high })),
    });
  });
  ids.push(await live('after'));
  await expectDelivered(receiver, ids);
  await drained(mesh);
  expect(await metric(mesh, 'webhooks', 'bus_messages_lost_total')).toBe(9);
  expect(await metric(mesh, 'orders', 'bus_messages_lost_total')).toBe(0);
  expect(await metric(mesh, 'webhooks', 'bus_dead_letters')).toBe(0);

  await asSuperuser(mesh, 'custody', (client) =>
    client.query('update outbox set sent_at = null where sent_at >= $1', [begun]),
  );
  await expectDelivered(receiver, [...ids, lost]);
});
