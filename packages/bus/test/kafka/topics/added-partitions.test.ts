import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readConfig } from '@pto/config';
import { uuidv7 } from '@pto/database';
import { stores, uniqueName, until } from '@pto/testing';
import kafkajs, { type Admin } from 'kafkajs';
import { type Bus, busSettings } from '../../../src/index.ts';
import { openTestBus } from '../../open-test-bus.ts';

const { kafka: brokers } = stores();
const where = brokers ? describe : describe.skip;
const keys = Array.from({ length: 20 }, (_, n) => `key-${n}`);

where('a topic whose partitions are added to while it is read', () => {
  let admin: Admin;
  const open = (): Promise<Bus> =>
    openTestBus(readConfig(busSettings, { KAFKA_BROKERS: brokers!.join(',') }).settings);
  beforeAll(async () => {
    const logLevel = kafkajs.logLevel.NOTHING;
    admin = new kafkajs.Kafka({ brokers: [...brokers!], logLevel }).admin();
    await admin.connect();
  });
  afterAll(() => admin?.disconnect());

  test('a running consumer soon reads what a new process sends to the new partitions', async () => {
    const [topic, group] = [uniqueName('topic'), uniqueName('group')];
    const old = await open();
    await old.ensureTopics([{ name: topic, partitions: 1 }]);
    const seen = new Set<string>();
    const subscription = await old.subscribe({
      group,
      topic,
      handle: async (batch) => {
        for (const { key } of batch) seen.add(key);
      },
    });
    await admin.createPartitions({ topicPartitions: [{ topic, count: 4 }] });
    const started = await open();
    await until(
      async () => {
        const [found] = (await admin.fetchTopicMetadata({ topics: [topic] })).topics;
        return found!.partitions.length === 4;
      },
      { what: 'four partitions' },
    );
    await started.publish(
      keys.map((key) => ({ topic, key, id: uuidv7(), type: 'test', value: new Uint8Array([1]) })),
    );
    const { length: used } = (await admin.fetchTopicOffsets(topic)).filter(
      ({ high }) => Number(high) > 0,
    );
    expect(used).toBeGreaterThan(1);
    await until(() => seen.size === keys.length, { what: 'every message', deadlineMs: 30_000 });
    await subscription.stop();
    await Promise.all([old.close(), started.close()]);
  });
});
