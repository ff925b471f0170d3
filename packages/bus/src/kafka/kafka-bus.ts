import { within } from '@pto/lifecycle';
import type { Telemetry } from '@pto/telemetry';
import kafkajs, { type Admin, type Message } from 'kafkajs';
import type { Bus, OutgoingMessage } from '../bus.ts';
import { busUnavailable } from '../bus-unavailable.ts';
import { createOpenWork } from '../open-work.ts';
import type { KafkaSettings } from '../settings.ts';
import { connectKafka } from './kafka-connection.ts';
import { toRecord } from './kafka-message.ts';
import { subscribeKafka } from './kafka-subscription.ts';
import { createPublishLane } from './publish-lane.ts';
import { ensureKafkaTopics, retried } from './topics/kafka-topics.ts';

const startTimeoutMs = 20_000;

/**
 * Opens the bus on Kafka.
 * @throws Failure SERVICE_UNAVAILABLE if no broker responds within 20 s; ConfigError for bad
 *   settings.
 */
export const openKafkaBus = async (settings: KafkaSettings, telemetry: Telemetry): Promise<Bus> => {
  const kafka = connectKafka(settings, telemetry);
  const producer = kafka.producer({
    idempotent: false, // with `true`, kafkajs loses acknowledged messages after a failed batch
    allowAutoTopicCreation: false,
    createPartitioner: kafkajs.Partitioners.DefaultPartitioner,
  });
  const admin = kafka.admin();
  const connected = Promise.all([producer.connect(), admin.connect()]);
  await within(startTimeoutMs, 'connecting to Kafka', connected).catch(async (error) => {
    await Promise.allSettled([producer.disconnect(), admin.disconnect()]);
    throw busUnavailable(error);
  });

  const publish = createPublishLane(async (messages) => {
    try {
      await producer.sendBatch({ acks: -1, timeout: 5000, topicMessages: byTopic(messages) });
    } catch (error) {
      throw busUnavailable(error);
    }
  });
  const work = createOpenWork();
  const { promise: crashed, resolve: crash } = Promise.withResolvers<Error>();

  return {
    publish: async (messages) => work.publish(publish(messages)),
    subscribe: async (options) =>
      work.subscribe(await subscribeKafka(kafka, admin, options, telemetry, crash)),
    ensureTopics: async (topics) => {
      await ensureKafkaTopics(admin, topics).catch((error) => {
        throw busUnavailable(error);
      });
    },
    lag: (group, topic) => kafkaLag(admin, group, topic),
    crashed,
    close: async () => {
      await work.end();
      await Promise.allSettled([producer.disconnect(), admin.disconnect()]);
    },
  };
};

const byTopic = (messages: readonly OutgoingMessage[]) => {
  const topics = new Map<string, Message[]>();
  for (const message of messages) {
    const records = topics.get(message.topic) ?? [];
    records.push(toRecord(message));
    topics.set(message.topic, records);
  }
  return [...topics].map(([topic, records]) => ({ topic, messages: records }));
};

/**
 * Returns the number of messages between the group's offset and the end, summed over all
 * partitions.
 */
const kafkaLag = async (admin: Admin, group: string, topic: string): Promise<number> => {
  const ends = await admin.fetchTopicOffsets(topic);
  // kafkajs does not retry this request when the group's coordinator has moved
  const [committed] = await retried(performance.now() + 3000, () =>
    admin.fetchOffsets({ groupId: group, topics: [topic] }),
  );
  const done = new Map(committed?.partitions.map((p) => [p.partition, Number(p.offset)]));
  return ends.reduce((sum, { partition, low, high }) => {
    const from = Math.max(done.get(partition) ?? -1, Number(low));
    return sum + Math.max(0, Number(high) - from);
  }, 0);
};
