import { ownCpu } from '../measuring/machine.ts';
import { cpuSince } from '../measuring/process-cpu.ts';
import type { Side } from '../measuring/ratio.ts';
import { type KafkaTopic, openProducer } from './kafka-topic.ts';
import { newMessages } from './messages.ts';

/** Messages in one request: the most that the bus sends in one, from batches of all shards. */
const batchMax = 1000;

/** Kafkajs alone: sends the same batches from memory, one after the other, acknowledged by all. */
export const kafkajsSide = async ({ topic, kafka, messages }: KafkaTopic, rows: number) => {
  const producer = await openProducer(kafka);
  let records = newMessages(topic, 0);
  let [before, sent] = [ownCpu(), 0];
  let used = cpuSince(before, before);
  const side: Side & { close(): Promise<void> } = {
    name: 'kafkajs',
    prepare: async () => {
      records = newMessages(topic, rows);
      sent = await messages();
      before = ownCpu();
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
      used = cpuSince(before, ownCpu());
      return records.length;
    },
    rows: async () => (await messages()) - sent,
    cpuByProcess: () => used,
    close: () => producer.disconnect(),
  };
  return side;
};
