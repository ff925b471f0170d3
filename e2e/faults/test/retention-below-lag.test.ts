/**
 * | Fault | Expected |
 * |---|---|
 * | Kafka deletes messages that webhooks has not read, as a retention shorter than the lag does | `bus_messages_lost_total` counts them exactly (alert MessagesLost); later events are delivered; nothing is parked |
 * | The operator publishes them again from custody's outbox, as the runbook says | every event is delivered once |
 */

import { expect, test } from '@jest/globals';
import { custodyEventsTopic } from '@pto/proto/topics';
import { asSuperuser } from '../../as-superuser.ts';
import { expectDelivered } from '../../proof.ts';
import { whileStopped } from '../kafka.ts';
import { drained, metric, stackUnderTest } from '../stack.ts';

const stack = stackUnderTest();

test('messages that are deleted before webhooks reads them are counted and can be sent again', async () => {
  const ids = [await stack.live('before')];
  await expectDelivered(stack.receiver, ids);
  await drained(stack.mesh);
  const begun = new Date();
  let lost = '';
  await whileStopped(stack.mesh, 'webhooks', async (admin) => {
    lost = await stack.live('lost');
    await drained(stack.mesh, ['orders', 'custody']);
    const offsets = await admin.fetchTopicOffsets(custodyEventsTopic);
    await admin.deleteTopicRecords({
      topic: custodyEventsTopic,
      partitions: offsets.map(({ partition, high }) => ({ partition, offset: high })),
    });
  });
  ids.push(await stack.live('after'));
  await expectDelivered(stack.receiver, ids);
  await drained(stack.mesh);
  expect(await metric(stack.mesh, 'webhooks', 'bus_messages_lost_total')).toBe(9);
  expect(await metric(stack.mesh, 'orders', 'bus_messages_lost_total')).toBe(0);
  expect(await metric(stack.mesh, 'webhooks', 'bus_dead_letters')).toBe(0);

  await asSuperuser(stack.mesh, 'custody', (client) =>
    client.query('update outbox set sent_at = null where sent_at >= $1', [begun]),
  );
  await expectDelivered(stack.receiver, [...ids, lost]);
});
