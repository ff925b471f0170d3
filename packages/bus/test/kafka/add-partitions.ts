import { stores } from '@pto/testing';
import kafkajs from 'kafkajs';

/** Adds partitions to a topic, as Kafka's own tools do. */
export const addPartitions = async (topic: string, count: number): Promise<void> => {
  const admin = new kafkajs.Kafka({ brokers: [...stores().kafka!] }).admin();
  await admin.connect();
  await admin.createPartitions({ topicPartitions: [{ topic, count }] });
  await admin.disconnect();
};
