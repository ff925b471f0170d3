/**
 * | Fault | Expected |
 * |---|---|
 * | `custody.custody-events.v1` is deleted and created again while everything runs | no process stops; `bus_messages_lost_total` of its groups rises (alert MessagesLost); later events of all orders are delivered in order |
 * | Partitions are added while everything runs and no message waits | the events of each order stay in order; no message is parked |
 */
import { expect, test } from '@jest/globals';
import { custodyEventsTopic, orderEventsTopic } from '@pto/proto/topics';
import { until } from '@pto/testing';
import { inLanes } from '../../load.ts';
import { metric } from '../../metric.ts';
import { expectDelivered, expectWholeLives } from '../../proof.ts';
import { asKafkaAdmin } from '../kafka.ts';
import { drained, stackUnderTest } from '../stack.ts';

const deadlineMs = 90_000;

const stack = stackUnderTest();

/** The first deliveries of each order arrive in the order of the custody events. */
const expectInOrder = (): void => {
  const byOrder = Map.groupBy(stack.receiver.received, ({ body }) => body.data.order.id as string);
  for (const deliveries of byOrder.values()) {
    const sequences = deliveries.map(({ body }) => body.data.order.sequence as number);
    const first = [...new Set(sequences)];
    expect(first).toEqual([...first].sort((a, b) => a - b));
  }
};

test('partitions are added while everything runs, and each order stays in order', async () => {
  await stack.live('before-partitions');
  await drained(stack.mesh);
  await asKafkaAdmin(stack.mesh, (admin) =>
    admin.createPartitions({
      topicPartitions: [orderEventsTopic, custodyEventsTopic].map((topic) => ({
        topic,
        count: 18,
      })),
    }),
  );
  await inLanes(12, 3, (n) => stack.live(`partitions-${n}`));
  await drained(stack.mesh);
  await expectDelivered(stack.receiver, stack.ids, deadlineMs);
  expectInOrder();
  await stack.expectNothingParked();
  await expectWholeLives(stack.mesh, stack.ids);
});

test('a topic that is deleted and created again is counted as a loss, and events go on', async () => {
  await drained(stack.mesh);
  const before = stack.mesh.file().services.map(({ pid }) => pid);
  await asKafkaAdmin(stack.mesh, async (admin) => {
    await admin.deleteTopics({ topics: [custodyEventsTopic] });
    await until(async () => !(await admin.listTopics()).includes(custodyEventsTopic), {
      what: 'the topic to be deleted',
    });
    await admin.createTopics({
      waitForLeaders: false,
      topics: [{ topic: custodyEventsTopic, numPartitions: 18 }],
    });
  });
  await inLanes(12, 3, (n) => stack.live(`recreated-${n}`));
  await expectDelivered(stack.receiver, stack.ids, deadlineMs);
  for (const service of ['orders', 'webhooks'])
    await until(
      async () => ((await metric(stack.mesh, service, 'bus_messages_lost_total')) ?? 0) > 0,
      {
        what: `the loss to be counted by ${service}`,
        deadlineMs,
      },
    );
  expectInOrder();
  await stack.expectNothingParked();
  await expectWholeLives(stack.mesh, stack.ids);
  expect(stack.mesh.file().services.map(({ pid }) => pid)).toEqual(before);
});
