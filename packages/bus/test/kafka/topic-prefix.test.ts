import { describe, expect, test } from '@jest/globals';
import { readConfig } from '@pto/config';
import { uuidv7 } from '@pto/database';
import { createTelemetry } from '@pto/telemetry';
import { stores, uniqueName, until } from '@pto/testing';
import type { Bus } from '../../src/index.ts';
import { busSettings } from '../../src/index.ts';
import { connectKafka } from '../../src/kafka/kafka-connection.ts';
import { declareTopics, parseTopic } from '../../src/kafka/topics/declare-topics.ts';
import { openTestBus } from '../open-test-bus.ts';

const { kafka } = stores();
const where = kafka ? describe : describe.skip;
const settingsWith = (prefix: string) =>
  readConfig(busSettings, { KAFKA_BROKERS: kafka!.join(','), KAFKA_TOPIC_PREFIX: prefix }).settings;

where('cells that share a Kafka cluster', () => {
  test('receive the messages of their own prefix alone, by the names without it', async () => {
    const [topic, group] = [uniqueName('topic'), uniqueName('group')];
    const prefixes = ['', 'north.', 'south.'];
    const buses = await Promise.all(prefixes.map((one) => openTestBus(settingsWith(one))));
    const received = prefixes.map((): string[] => []);
    try {
      await Promise.all(
        buses.map(async (bus: Bus, n) => {
          await bus.ensureTopics([{ name: topic, partitions: 1 }]);
          await bus.subscribe({
            group,
            topic,
            handle: async (batch) => {
              for (const { topic: of, value } of batch)
                received[n]!.push(`${of}: ${Buffer.from(value)}`);
            },
          });
          const value = Buffer.from(`of ${prefixes[n]}`);
          await bus.publish([{ topic, key: 'k', id: uuidv7(), type: 't', value }]);
        }),
      );
      await until(() => received.every((those) => those.length > 0), { what: 'the messages' });
      // a message of another prefix would have come by then, too
      await until(async () => (await buses[0]!.lag(group, topic)) === 0, { what: 'no lag' });
      expect(await buses[1]!.ends(topic)).toEqual(new Map([[0, 1n]]));
      expect(await buses[1]!.lag(group, topic, new Map([[0, 1n]]))).toBeLessThanOrEqual(1);
      expect(received).toEqual(prefixes.map((one) => [`${topic}: of ${one}`]));
    } finally {
      await Promise.all(buses.map((bus) => bus.close()));
    }
  }, 60_000);

  test('have their topics declared with the prefix', async () => {
    const name = uniqueName('declared');
    const quiet = createTelemetry({ service: 'test', write: () => {} });
    const admin = connectKafka(settingsWith('north.'), quiet).admin();
    await admin.connect();
    try {
      const longer = parseTopic(`${name}=1/2d/1/1`);
      expect(await declareTopics(admin, [longer], 'north.')).toEqual({});
      expect(await declareTopics(admin, [{ ...longer, retentionMs: 1000 }], 'north.')).toEqual({
        [name]: 2 * 86_400_000,
      });
      const topics = await admin.listTopics();
      expect([topics.includes(`north.${name}`), topics.includes(name)]).toEqual([true, false]);
    } finally {
      await admin.disconnect();
    }
  });
});

test('a prefix that Kafka would not accept is rejected', () => {
  const environment = { KAFKA_BROKERS: 'broker:9092', KAFKA_TOPIC_PREFIX: 'north/' };
  expect(() => readConfig(busSettings, environment)).toThrow('KAFKA_TOPIC_PREFIX');
});
