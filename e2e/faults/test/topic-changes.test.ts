/**
 * | Fault | Expected |
 * |---|---|
 * | `custody.custody-events.v1` is deleted and created again while everything runs | no process stops; `bus_messages_lost_total` of its groups rises (alert MessagesLost); later events of all orders are delivered in order |
 * | Partitions are added while everything runs and no message waits | the events of each order stay in order; no message is parked |
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { custodyEventsTopic, orderEventsTopic } from '@pto/proto/topics';
import { until } from '@pto/testing';
import { createOrder, inLanes, walkOrder } from '../../load.ts';
import { type Mesh, operator } from '../../mesh.ts';
import { partner } from '../../partner.ts';
import { expectDelivered, expectWholeLives } from '../../proof.ts';
import { type Receiver, startReceiver } from '../../receiver.ts';
import { asKafkaAdmin, groups } from '../kafka.ts';
import { drained, metric, startStack } from '../stack.ts';

const deadlineMs = 90_000;

let mesh: Mesh;
let receiver: Receiver;
const ids: string[] = [];
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

const live = async (name: string): Promise<void> => {
  const id = await createOrder(mesh, name);
  ids.push(id);
  await walkOrder(mesh, id);
};

const expectNothingParked = async (): Promise<void> => {
  for (const { service } of groups) expect(await metric(mesh, service, 'bus_dead_letters')).toBe(0);
};

/** The first deliveries of each order arrive in the order of the custody events. */
const expectInOrder = (): void => {
  const byOrder = Map.groupBy(receiver.received, ({ body }) => body.data.order.id as string);
  for (const deliveries of byOrder.values()) {
    const sequences = deliveries.map(({ body }) => body.data.order.sequence as number);
    const first = [...new Set(sequences)];
    expect(first).toEqual([...first].sort((a, b) => a - b));
  }
};

test('partitions are added while everything runs, and each order stays in order', async () => {
  await live('before partitions');
  await drained(mesh);
  await asKafkaAdmin(mesh, (admin) =>
    admin.createPartitions({
      topicPartitions: [orderEventsTopic, custodyEventsTopic].map((topic) => ({
        topic,
        count: 18,
      })),
    }),
  );
  await inLanes(12, 3, (n) => live(`partitions-${n}`));
  await drained(mesh);
  await expectDelivered(receiver, ids, deadlineMs);
  expectInOrder();
  await expectNothingParked();
  await expectWholeLives(mesh, ids);
});

test('a topic that is deleted and created again is counted as a loss, and events go on', async () => {
  await drained(mesh);
  const before = mesh.file().services.map(({ pid }) => pid);
  await asKafkaAdmin(mesh, async (admin) => {
    await admin.deleteTopics({ topics: [custodyEventsTopic] });
    await until(async () => !(await admin.listTopics()).includes(custodyEventsTopic), {
      what: 'the topic to be deleted',
    });
    await admin.createTopics({
      waitForLeaders: false,
      topics: [{ topic: custodyEventsTopic, numPartitions: 18 }],
    });
  });
  await inLanes(12, 3, (n) => live(`recreated-${n}`));
  await expectDelivered(receiver, ids, deadlineMs);
  for (const service of ['orders', 'webhooks'])
    await until(async () => ((await metric(mesh, service, 'bus_messages_lost_total')) ?? 0) > 0, {
      what: `the loss to be counted by ${service}`,
      deadlineMs,
    });
  expectInOrder();
  await expectNothingParked();
  await expectWholeLives(mesh, ids);
  expect(mesh.file().services.map(({ pid }) => pid)).toEqual(before);
  expect((await operator(mesh, 'dlq', 'list')).json).toEqual([]);
});
