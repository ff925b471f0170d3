import { randomBytes, randomUUID } from 'node:crypto';
import type { OutgoingMessage } from '@pto/bus';
import { uuidv7 } from '@pto/database';
import { until } from '@pto/testing';
import kafkajs from 'kafkajs';
import type { Side } from '../measuring/ratio.ts';

/** As many as the services' topics have. */
const partitions = 12;
/** Messages in one request: the most that the bus sends in one, from batches of all shards. */
const batchMax = 1000;
const valueBytes = 300;

/** Messages of as many orders, each with a value of 300 bytes. */
export const newMessages = (topic: string, count: number): OutgoingMessage[] =>
  Array.from({ length: count }, () => ({
    topic,
    key: randomUUID(),
    id: uuidv7(),
    type: 'order.submitted',
    value: randomBytes(valueBytes),
  }));

/** A client of kafkajs. @param topics are created. */
export const openKafka = async (brokers: readonly string[], topics: readonly string[]) => {
  const kafka = new kafkajs.Kafka({ brokers: [...brokers], logLevel: kafkajs.logLevel.NOTHING });
  const admin = kafka.admin();
  await admin.connect();
  await admin.createTopics({
    topics: topics.map((topic) => ({ topic, numPartitions: partitions })),
    waitForLeaders: false,
  });
  for (const topic of topics)
    await until(async () => (await admin.fetchTopicOffsets(topic)).length === partitions, {
      what: `topic ${topic}`,
    });
  // with the settings of packages/bus/src/kafka
  const producer = kafka.producer({
    idempotent: false,
    allowAutoTopicCreation: false,
    createPartitioner: kafkajs.Partitioners.DefaultPartitioner,
  });
  await producer.connect();
  return {
    producer,
    /** The number of messages in a topic, by its offsets. */
    count: async (topic: string) => {
      const offsets = await admin.fetchTopicOffsets(topic);
      return offsets.reduce((sum, { high }) => sum + Number(high), 0);
    },
    close: () => Promise.all([producer.disconnect(), admin.disconnect()]),
  };
};

export type OpenKafka = Awaited<ReturnType<typeof openKafka>>;

/** Kafkajs alone: sends the same batches from memory, one after the other, acknowledged by all. */
export const kafkajsSide = ({ producer, count }: OpenKafka, topic: string, rows: number): Side => {
  let records: OutgoingMessage[] = [];
  let sent = 0;
  return {
    name: 'kafkajs',
    prepare: async () => {
      records = newMessages(topic, rows);
      sent = await count(topic);
    },
    round: async () => {
      for (let n = 0; n < records.length; n += batchMax)
        await producer.send({
          topic,
          acks: -1,
          timeout: 5000,
          messages: records.slice(n, n + batchMax).map(({ key, id, type, value }) => ({
            key,
            value: Buffer.from(value),
            headers: { id, type },
          })),
        });
      return { operations: records.length };
    },
    rows: async () => (await count(topic)) - sent,
  };
};
