/**
 * | Fault | Expected |
 * |---|---|
 * | Kafka deletes messages that webhooks has not read, as a retention shorter than the lag does | `bus_messages_lost_total` counts them exactly (alert MessagesLost); later events are delivered; nothing is parked |
 * | The operator publishes them again from custody's outbox, as the runbook says | every event is delivered once |
 * | Kafka deletes events that custody has not read | each is counted; later events of the order are parked; published again, discarded and replayed as step 4 of the runbook says, the ledger is valid |
 */

import { expect, test } from '@jest/globals';
import { custodyEventsTopic, orderEventsTopic } from '@pto/proto/topics';
import { until } from '@pto/testing';
import { asSuperuser } from '../../as-superuser.ts';
import { createOrder } from '../../load.ts';
import { metric } from '../../metric.ts';
import { operator } from '../../operator.ts';
import { expectDelivered } from '../../proof.ts';
import { whileStopped } from '../kafka.ts';
import { drained, stackUnderTest } from '../stack.ts';

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

test('events that are deleted before custody reads them are entered in their order', async () => {
  const { mesh, receiver } = stack;
  const walk = (to: string) => operator(mesh, 'order', 'walk', id, '--to', to);
  let id = '';
  await whileStopped(mesh, 'custody', async (admin) => {
    id = await createOrder(mesh, 'unread');
    await walk('SEALED');
    await drained(mesh, ['orders']);
    const offsets = await admin.fetchTopicOffsets(orderEventsTopic);
    const partitions = offsets.map(({ partition, high }) => ({ partition, offset: high }));
    await admin.deleteTopicRecords({ topic: orderEventsTopic, partitions });
    await walk('CLOSED');
  });
  const [deleted, later] = [6, 3];
  const parked = (count: number): Promise<{ id: string }[]> =>
    until(
      async () => {
        const { json } = await operator(mesh, 'dlq', 'list', '--topic', orderEventsTopic);
        return (json as { id: string }[]).length === count && json;
      },
      { what: `${count} parked events` },
    );
  const first = await parked(later);
  expect(await metric(mesh, 'custody', 'bus_messages_lost_total')).toBe(deleted);
  await asSuperuser(mesh, 'orders', (client) =>
    client.query('update outbox set sent_at = null where key = $1', [id]),
  );
  await parked(later + deleted + later);
  for (const letter of first)
    await operator(mesh, 'dlq', 'discard', letter.id, '--reason', 'published again', '--yes');
  const [next] = await parked(deleted + later);
  expect(await operator(mesh, 'dlq', 'replay', next!.id)).toMatchObject({ json: { failed: null } });
  await parked(0);
  expect(await operator(mesh, 'ledger', 'verify', '--order', id)).toMatchObject({
    json: { valid: true },
  });
  await expectDelivered(receiver, [...stack.ids, id]);
});
