import { createBatches } from '@pto/concurrency';
import { within } from '@pto/lifecycle';
import type { Telemetry } from '@pto/telemetry';
import type { Admin } from 'kafkajs';
import type { Bus, Ends, OutgoingMessage } from '../bus.ts';
import { createOpenWork } from '../open-work.ts';
import type { KafkaSettings } from '../settings.ts';
import { busUnavailable } from '../unavailable.ts';
import { connectKafka, metadataMaxAgeMs } from './kafka-connection.ts';
import { toRecord } from './kafka-message.ts';
import { subscribeKafka } from './kafka-subscription.ts';
import { committedOffsets } from './offsets/committed-offsets.ts';
import { createPartitioner } from './partitioner.ts';
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
    createPartitioner,
    metadataMaxAge: metadataMaxAgeMs,
  });
  const admin = kafka.admin();
  const connected = Promise.all([producer.connect(), admin.connect()]);
  await within(startTimeoutMs, 'connecting to Kafka', connected).catch(async (error) => {
    await Promise.allSettled([producer.disconnect(), admin.disconnect()]);
    busUnavailable(error);
  });

  const publish = createPublishLane(async (messages) => {
    await producer
      .sendBatch({ acks: -1, timeout: 5000, topicMessages: byTopic(messages) })
      .catch(busUnavailable);
  });
  const work = createOpenWork();
  const { promise: crashed, resolve: crash } = Promise.withResolvers<Error>();

  return {
    publish: async (messages) => work.publish(publish(messages)),
    subscribe: async (options) =>
      work.subscribe(await subscribeKafka(kafka, admin, options, telemetry, crash)),
    ensureTopics: async (topics) => {
      await ensureKafkaTopics(admin, topics).catch(busUnavailable);
    },
    ends: async (topic) => kafkaEnds(await kafkaOffsets(admin, topic)),
    lag: (group, topic, upTo) => kafkaLag(admin, group, topic, upTo),
    crashed,
    close: async () => {
      await work.end();
      await Promise.allSettled([producer.disconnect(), admin.disconnect()]);
    },
  };
};

type Messages = readonly OutgoingMessage[];

/** Kafka rejects a batch of more than 1 MiB. A larger message is sent alone. */
const requestBytesMax = 800_000;

/** The size of messages in bytes: each counts as its value and 300 bytes. */
const bytesOf = (messages: Messages): number =>
  messages.reduce((sum, { value }) => sum + value.byteLength + 300, 0);

/**
 * Returns a function that sends messages, one request at a time: with several requests in flight,
 * kafkajs can reorder or lose the messages of a retried request. Calls that come meanwhile share the
 * next request. If a request fails, each of its calls rejects, and no later message of these calls
 * is sent.
 */
export const createPublishLane = (
  send: (messages: Messages) => Promise<void>,
): ((messages: Messages) => Promise<void>) =>
  createBatches<Messages, void>(
    async (calls) => {
      for (const request of requests(calls.flat())) await send(request);
      return () => {};
    },
    { inFlightMax: 1, batchMax: 1000, weight: { of: bytesOf, max: requestBytesMax } },
  );

/** Splits the messages of one call that exceed a request. */
const requests = (messages: Messages): OutgoingMessage[][] => {
  const split: OutgoingMessage[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const message of messages) {
    bytes += bytesOf([message]);
    if (bytes > requestBytesMax) {
      split.push([]);
      bytes = bytesOf([message]);
    }
    split.at(-1)!.push(message);
  }
  return split;
};

const byTopic = (messages: Messages) =>
  [...Map.groupBy(messages, ({ topic }) => topic)].map(([topic, ofTopic]) => ({
    topic,
    messages: ofTopic.map(toRecord),
  }));

/**
 * Reads offsets for up to 3 s. kafkajs retries neither of its requests: the group's coordinator may
 * have moved, and a concurrent call may have replaced the metadata of the shared cluster by one
 * without this topic.
 */
const offsetsRead = <T>(read: () => Promise<T>): Promise<T> =>
  retried(performance.now() + 3000, read);

type Offsets = Awaited<ReturnType<Admin['fetchTopicOffsets']>>;

const kafkaOffsets = (admin: Admin, topic: string): Promise<Offsets> =>
  offsetsRead(() => admin.fetchTopicOffsets(topic)).catch(busUnavailable);

const kafkaEnds = (offsets: Offsets): Ends =>
  new Map(offsets.map(({ partition, high }) => [partition, BigInt(high)]));

/**
 * Returns the number of messages between the group's offset and the end, or the given end, summed
 * over all partitions.
 */
const kafkaLag = async (
  admin: Admin,
  group: string,
  topic: string,
  upTo: Ends | undefined,
): Promise<number> => {
  const [offsets, done] = await offsetsRead(async () => [
    await admin.fetchTopicOffsets(topic),
    await committedOffsets(admin, { group, topic }),
  ]);
  return offsets.reduce((sum, { partition, low, high }) => {
    const from = Math.max(Number(done.get(partition) ?? -1), Number(low));
    const end = upTo ? Math.min(Number(upTo.get(partition) ?? 0n), Number(high)) : Number(high);
    return sum + Math.max(0, end - from);
  }, 0);
};
