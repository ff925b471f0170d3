/** Messages that no service sent: earlier ones again, and bytes that are no event. */
import { randomUUID } from 'node:crypto';
import { custodyEventsTopic, orderEventsTopic } from '@pto/proto/topics';
import kafkajs, { type KafkaMessage } from 'kafkajs';
import type { World } from '../world.ts';

const topics = { orders: orderEventsTopic, custody: custodyEventsTopic };
const readMaxMs = 10_000;
const connectionTimeoutMs = 3000;

/** The last messages of each partition are copied. */
const copiesMax = 20;

const client = ({ stand }: World) =>
  new kafkajs.Kafka({
    brokers: [...stand.brokers],
    connectionTimeout: connectionTimeoutMs,
    retry: { retries: 2 },
    logLevel: kafkajs.logLevel.NOTHING,
  });

const publish = async (
  world: World,
  topic: string,
  messages: readonly {
    key: Buffer | string | null;
    value: Buffer;
    headers: KafkaMessage['headers'];
  }[],
): Promise<void> => {
  const producer = client(world).producer({
    createPartitioner: kafkajs.Partitioners.DefaultPartitioner,
  });
  await producer.connect();
  try {
    const records = messages.map(({ headers, ...record }) => ({
      ...record,
      ...(headers && { headers }),
    }));
    await producer.send({ topic, messages: records });
  } finally {
    await producer.disconnect();
  }
};

/** What the topic holds, from the beginning up to its end at the call. */
const readTopic = async (world: World, topic: string): Promise<KafkaMessage[]> => {
  const kafka = client(world);
  const admin = kafka.admin();
  await admin.connect();
  const ends = await admin.fetchTopicOffsets(topic).finally(() => admin.disconnect());
  const left = new Map(ends.map(({ partition, high, low }) => [partition, { high, low }]));
  const found: KafkaMessage[] = [];
  const due = [...left.values()].reduce(
    (sum, { high, low }) => sum + Number(high) - Number(low),
    0,
  );
  if (due === 0) return found;
  const consumer = kafka.consumer({ groupId: `chaos-${randomUUID()}` });
  await consumer.connect();
  try {
    await consumer.subscribe({ topic, fromBeginning: true });
    const done = new Promise<void>((resolve) => {
      setTimeout(resolve, readMaxMs).unref();
      void consumer.run({
        autoCommit: false,
        eachMessage: async ({ message }) => {
          found.push(message);
          if (found.length >= due) resolve();
        },
      });
    });
    await done;
  } finally {
    await consumer.disconnect();
  }
  return found;
};

/** Sends earlier messages again, newest first: duplicates out of order. @param share 0..1: which. */
export const duplicateMessages = async (
  world: World,
  topic: keyof typeof topics,
  share: number,
): Promise<void> => {
  if (world.stand.brokers.length === 0) return;
  const found = await readTopic(world, topics[topic]);
  const from = Math.max(0, Math.floor(share * found.length) - copiesMax);
  const chosen = found.slice(from, from + copiesMax).reverse();
  const records = chosen.map(({ key, value, headers }) => ({ key, value: value!, headers }));
  if (records.length > 0) await publish(world, topics[topic], records);
};

/** Bytes that are no event, under an order's key: nothing authentic, so nothing may wait for it. */
export const poison = async (
  world: World,
  topic: keyof typeof topics,
  orderId: string | undefined,
): Promise<void> => {
  if (world.stand.brokers.length === 0) return;
  const id = randomUUID();
  world.poisoned.add(id);
  const headers = { id, type: 'order.submitted' };
  const value = Buffer.from(`no event ${id}`);
  await publish(world, topics[topic], [{ key: orderId ?? id, value, headers }]);
};
