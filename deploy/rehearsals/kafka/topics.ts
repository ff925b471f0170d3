import { custodyEventsTopic, orderEventsTopic } from '@pto/proto/topics';
import { until } from '@pto/testing';
import { asSuperuser } from '../../../e2e/as-superuser.ts';
import { asKafkaAdmin } from '../../../e2e/faults/kafka.ts';
import type { LocalStack } from '../../../e2e/local-stack.ts';

const topics = [orderEventsTopic, custodyEventsTopic];
const deadlineMs = 60_000;

/** Waits until each partition has so many copies that are in sync. */
export const inSync = (stack: LocalStack, copies: number): Promise<boolean> =>
  until(
    () =>
      asKafkaAdmin(stack, async (admin) => {
        const found = await admin.fetchTopicMetadata({ topics });
        return found.topics.every(({ partitions }) =>
          partitions.every(({ isr }) => isr.length >= copies),
        );
      }),
    { deadlineMs, what: `${copies} copies in sync` },
  );

/** Adds partitions, as kafka-topics.sh --alter does. */
export const addPartitions = (stack: LocalStack, count: number): Promise<unknown> =>
  asKafkaAdmin(stack, (admin) =>
    admin.createPartitions({ topicPartitions: topics.map((topic) => ({ topic, count })) }),
  );

/** Waits until both services divide the keys of their topic among so many partitions. */
export const usedPartitions = async (stack: LocalStack, count: number): Promise<void> => {
  for (const database of ['orders', 'custody'] as const)
    await asSuperuser(stack, database, async (client) => {
      const text = 'select from topic_partitions where topic = any ($1) and partitions = $2';
      await until(async () => (await client.query(text, [topics, count])).rowCount === 1, {
        deadlineMs,
        what: `${count} partitions of ${database}`,
      });
    });
};

/** Sets how long a topic's messages are stored, as kafka-configs.sh does. */
export const setRetention = (stack: LocalStack, topic: string, ms: number): Promise<unknown> =>
  asKafkaAdmin(stack, (admin) =>
    admin.alterConfigs({
      validateOnly: false,
      resources: [
        {
          type: 2, // a topic
          name: topic,
          configEntries: [
            { name: 'retention.ms', value: `${ms}` },
            { name: 'segment.ms', value: `${Math.min(ms, 604_800_000)}` },
          ],
        },
      ],
    }),
  );

/** Deletes all messages of a topic, as kafka-delete-records.sh does. */
export const deleteMessages = (stack: LocalStack, topic: string): Promise<void> =>
  asKafkaAdmin(stack, async (admin) => {
    const offsets = await admin.fetchTopicOffsets(topic);
    const partitions = offsets.map(({ partition, high }) => ({ partition, offset: high }));
    await admin.deleteTopicRecords({ topic, partitions });
  });

/** Number of a topic's messages that can still be read. */
export const readable = (stack: LocalStack, topic: string): Promise<number> =>
  asKafkaAdmin(stack, async (admin) => {
    const offsets = await admin.fetchTopicOffsets(topic);
    return offsets.reduce((sum, { high, low }) => sum + Number(high) - Number(low), 0);
  });
