import { within } from '@pto/lifecycle';
import type { Telemetry } from '@pto/telemetry';
import kafkajs, { type Message } from 'kafkajs';
import type { Bus, OutgoingMessage, Subscription } from '../bus.ts';
import { busUnavailable } from '../bus-unavailable.ts';
import type { KafkaSettings } from '../settings.ts';
import { connectKafka } from './kafka-connection.ts';
import { kafkaLag } from './kafka-lag.ts';
import { toRecord } from './kafka-message.ts';
import { subscribeKafka } from './kafka-subscription.ts';
import { createPublishLane } from './publish-lane.ts';
import { ensureKafkaTopics } from './topics/kafka-topics.ts';

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

  const lane = createPublishLane(async (messages) => {
    try {
      await producer.sendBatch({ acks: -1, timeout: 5000, topicMessages: byTopic(messages) });
    } catch (error) {
      throw busUnavailable(error);
    }
  });
  const subscriptions = new Set<Subscription>();
  const { promise: crashed, resolve: crash } = Promise.withResolvers<Error>();

  return {
    publish: lane.publish,
    subscribe: async (options) => {
      const opened = await subscribeKafka(kafka, admin, options, telemetry, crash);
      const subscription = {
        stop: async () => {
          if (subscriptions.delete(subscription)) await opened.stop();
        },
      };
      subscriptions.add(subscription);
      return subscription;
    },
    needsPositions: true,
    ensureTopics: async (topics) => {
      await ensureKafkaTopics(admin, topics).catch((error) => {
        throw busUnavailable(error);
      });
    },
    lag: (group, topic) => kafkaLag(admin, group, topic),
    crashed,
    close: async () => {
      await Promise.allSettled([...subscriptions].map((subscription) => subscription.stop()));
      await lane.idle();
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
