import { until } from '@pto/testing';
import kafkajs, { type Kafka, type Producer } from 'kafkajs';

const partitions = 12;

export interface KafkaTopic {
  readonly topic: string;
  readonly kafka: Kafka;
  /** The number of messages in the topic, by its offsets. */
  messages(): Promise<number>;
  close(): Promise<void>;
}

/** A new topic with as many partitions as the services' topics. */
export const createKafkaTopic = async (
  brokers: readonly string[],
  topic: string,
): Promise<KafkaTopic> => {
  const kafka = new kafkajs.Kafka({ brokers: [...brokers], logLevel: kafkajs.logLevel.NOTHING });
  const admin = kafka.admin();
  await admin.connect();
  await admin.createTopics({
    topics: [{ topic, numPartitions: partitions }],
    waitForLeaders: false,
  });
  await until(async () => (await admin.fetchTopicOffsets(topic)).length === partitions, {
    what: `topic ${topic}`,
  });
  return {
    topic,
    kafka,
    messages: async () => {
      const offsets = await admin.fetchTopicOffsets(topic);
      return offsets.reduce((sum, { high }) => sum + Number(high), 0);
    },
    close: () => admin.disconnect(),
  };
};

/** A producer with the settings of packages/bus/src/kafka. */
export const openProducer = async (kafka: Kafka): Promise<Producer> => {
  const producer = kafka.producer({
    idempotent: false,
    allowAutoTopicCreation: false,
    createPartitioner: kafkajs.Partitioners.DefaultPartitioner,
  });
  await producer.connect();
  return producer;
};
