import { spawn } from 'node:child_process';
import { describe, expect, test } from '@jest/globals';
import { readConfig } from '@pto/config';
import { createTelemetry } from '@pto/telemetry';
import { stores, uniqueName } from '@pto/testing';
import { retentionOf } from '../src/kafka/declare-topics.ts';
import { connectKafka } from '../src/kafka/kafka-connection.ts';
import { kafkaSettings } from '../src/settings.ts';

const { kafka } = stores();
const where = kafka ? describe : describe.skip;
const program = new URL('../src/topics.ts', import.meta.url).pathname;

const declare = (topics: string) => {
  const { NODE_OPTIONS, ...rest } = process.env;
  const env = { ...rest, KAFKA_BROKERS: kafka!.join(','), KAFKA_TOPICS: topics };
  const child = spawn(process.execPath, [program], { env });
  let output = '';
  child.stdout.on('data', (part) => {
    output += part;
  });
  return new Promise<{ code: number | null; output: string }>((resolve) =>
    child.once('close', (code) => resolve({ code, output })),
  );
};

const retention = async (name: string): Promise<number> => {
  const { settings } = readConfig(kafkaSettings, { KAFKA_BROKERS: kafka!.join(',') });
  const quiet = createTelemetry({ service: 'test', write: () => {} });
  const admin = connectKafka(settings, quiet).admin();
  await admin.connect();
  const found = await retentionOf(admin, name);
  await admin.disconnect();
  return found;
};

where('on Kafka', () => {
  const name = uniqueName('declared');

  test('a topic is made with its retention, and a later declaration changes that', async () => {
    expect((await declare(`${name}=3/7d`)).code).toBe(0);
    expect(await retention(name)).toBe(7 * 86_400_000);
    expect((await declare(`${name}=3/forever`)).code).toBe(0);
    expect(await retention(name)).toBe(-1);
  });

  test('another number of partitions is refused, by both numbers', async () => {
    const { code, output } = await declare(`${name}=4/7d`);
    expect(code).toBe(78);
    expect(output).toContain('has 3 partitions, not 4');
    expect(await retention(name)).toBe(-1);
  });

  test.each(['a topic', 'name=0/7d', 'name=3/soon'])('%s is no declaration', async (topics) => {
    expect(await declare(topics)).toMatchObject({ code: 78 });
  });
});
